import type { ListedCircuit, ReroutedModel } from "@/components/models/open-routes";
import { Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { Quantity } from "@/components/ui/values/quantity";
import { CloseCircuit } from "./close-circuit";

export const circuitId = ({ provider, model }: ListedCircuit) => `${provider} ${model}`;

interface CircuitColumns {
  /** Where a circuit's calls go, undefined until it is known; null if the person may not read models. */
  readonly findModels: ((circuit: ListedCircuit) => readonly ReroutedModel[] | undefined) | null;
  readonly canClose: boolean;
}

/** Returns the columns, with a button that closes the circuit if the person may close it. */
export function circuitColumns({ findModels, canClose }: CircuitColumns): readonly Column<ListedCircuit>[] {
  return [
    {
      id: "circuit",
      header: "Provider and model",
      width: "w-44",
      sortValue: circuitId,
      cell: ({ provider, model }) => (
        <span className="grid font-mono text-sm wrap-anywhere">
          <span className="font-medium">{provider}</span> <span className="text-muted">{model}</span>
        </span>
      ),
    },
    ...(findModels
      ? [
          {
            id: "calls",
            header: "Calls now",
            width: "w-60",
            cell: (circuit: ListedCircuit) => <ReroutedModels models={findModels(circuit)} />,
          },
        ]
      : []),
    {
      id: "since",
      header: "Open since",
      apiName: "since",
      width: "w-32",
      sortValue: ({ since }) => since,
      cell: ({ since }) => <RelativeTime at={since} />,
    },
    {
      id: "next",
      header: "Next try",
      apiName: "next_try_at",
      width: "w-44",
      sortValue: ({ next_try_at }) => next_try_at ?? 0,
      cell: ({ next_try_at: at, is_trying: isTrying }) => (
        <Status tone="near">
          {isTrying ? "in progress" : at === null ? "with the next call" : <ClockTime at={at} />}
        </Status>
      ),
    },
    {
      id: "cause",
      header: "Cause",
      apiName: "cause",
      cell: ({ cause, failures }) => (
        <span className="wrap-anywhere">
          {cause}{" "}
          <span className="text-muted">
            <Quantity value={failures} /> failures in a row
          </span>
        </span>
      ),
    },
    ...(canClose ? [closeColumn] : []),
  ];
}

const closeColumn: Column<ListedCircuit> = {
  id: "close",
  header: "Close",
  width: "w-32",
  phone: "end",
  cell: ({ provider, model }) => <CloseCircuit providerId={provider} model={model} />,
};

const MAX_MODELS_SHOWN = 3;

/** What happens to the calls of each model while a circuit is open. */
function ReroutedModels({ models }: { models: readonly ReroutedModel[] | undefined }) {
  if (!models) return <Skeleton className="h-5 w-32" />;
  const more = models.length - MAX_MODELS_SHOWN;
  return (
    <span className="grid gap-0.5">
      {models.slice(0, MAX_MODELS_SHOWN).map(({ id, provider }) => (
        <span key={id} className="wrap-anywhere">
          <span className="font-mono text-sm">{id}</span>{" "}
          {provider === null ? (
            <span className="text-danger">refused</span>
          ) : (
            <span className="text-muted">sent to {provider}</span>
          )}
        </span>
      ))}
      {more > 0 && (
        <span className="text-muted">
          and {more} more {more === 1 ? "model" : "models"}
        </span>
      )}
    </span>
  );
}
