"use client";

import { modelReads } from "@/components/models/model-reads";
import {
  findReroutedModels,
  type ListedCircuit,
  listCircuits,
  type ReroutedModel,
} from "@/components/models/open-routes";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Section } from "@/components/ui/section";
import { Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { ClockTime } from "@/components/ui/time/clock-time";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Quantity } from "@/components/ui/values/quantity";
import type { Health } from "@/lib/contract/operations/usage/health";
import { closeCircuit } from "./actions";
import { modelHealthColumns, providerColumns } from "./health-columns";

const POLL_MS = 15_000;

/** What the person may do besides reading. */
type HealthRights = Readonly<Record<"change" | "readModels" | "try", boolean>>;

/** How providers and models respond. Polls while visible. */
export function HealthScreen({ rights }: { rights: HealthRights }) {
  const health = useRead("retrieveHealth", undefined, { refetchInterval: POLL_MS });
  return (
    <ReadState
      read={health}
      to="see the health of providers"
      skeleton={<TableSkeleton rows={8} columns={6} />}
    >
      {({ models, providers }) => (
        <div className="grid gap-10">
          <OpenCircuits providers={providers} rights={rights} />
          <Section
            title="Providers"
            description="Calls in progress, and the last failure since the gateway’s start."
          >
            <SortedTable
              caption="Health of providers"
              columns={providerColumns(rights.change)}
              rows={providers}
              rowId={({ id }) => id}
            />
          </Section>
          <Section title="Models" description="Calls of the last 24 hours that reached a provider.">
            <SortedTable
              caption="Health of models"
              columns={modelHealthColumns(rights.try)}
              rows={models}
              rowId={({ id }) => id}
              initialSort={{ column: "calls", descending: true }}
            />
          </Section>
        </div>
      )}
    </ReadState>
  );
}

type OpenCircuitsProps = { providers: Health["providers"]; rights: HealthRights };

/** Lists the open circuit breakers. Renders nothing if there are none, which is the usual case. */
function OpenCircuits({ providers, rights }: OpenCircuitsProps) {
  const circuits = listCircuits(providers);
  const isShown = circuits.length > 0;
  const models = useRead(...modelReads.models, {
    enabled: isShown && rights.readModels,
  }).data?.data;
  if (!isShown) return null;
  return (
    <Section
      title="Open circuits"
      description={
        <>
          These providers failed too many calls in a row. Their calls go to the model’s next route, or are
          refused at once with 503 <code className="font-mono">circuit_open</code>, free of charge. After a
          pause, one trial call is let through; if it is answered, the circuit closes again.{" "}
          {rights.change && "If you have corrected the cause, close it now."}
        </>
      }
    >
      <SortedTable
        caption="Open circuits"
        columns={circuitColumns({
          findModels: rights.readModels
            ? (circuit) => models && findReroutedModels(circuit, circuits, models)
            : null,
          canClose: rights.change,
        })}
        rows={circuits}
        rowId={circuitId}
      />
    </Section>
  );
}

const circuitId = ({ provider, model }: ListedCircuit) => `${provider} ${model}`;

interface CircuitColumns {
  /** Where a circuit's calls go, undefined until it is known; null if the person may not read models. */
  readonly findModels: ((circuit: ListedCircuit) => readonly ReroutedModel[] | undefined) | null;
  readonly canClose: boolean;
}

/** Returns the columns, with a button that closes the circuit if the person may close it. */
function circuitColumns({ findModels, canClose }: CircuitColumns): readonly Column<ListedCircuit>[] {
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

/** Closes a circuit breaker, so that the gateway sends calls again. */
function CloseCircuit({ providerId, model }: { providerId: string; model: string }) {
  const close = useAction(closeCircuit, {
    refetch: ["retrieveHealth"],
    onSuccess: () => toast({ message: `Circuit of ${model} at ${providerId} closed` }),
  });
  return (
    <div className="grid justify-items-start gap-1 py-1">
      <Button
        size="small"
        pending={close.isPending}
        aria-label={`Close the circuit of ${model} at ${providerId} now`}
        onClick={() => close.mutate({ providerId, model })}
      >
        Close now
      </Button>
      {close.error && (
        <span role="alert" className="text-sm text-danger">
          {close.error.problem.message}
        </span>
      )}
    </div>
  );
}
