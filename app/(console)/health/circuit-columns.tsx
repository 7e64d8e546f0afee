import type { Column } from "@/components/table/column";
import { ClockTime } from "@/components/ui/clock-time";
import { Quantity } from "@/components/ui/quantity";
import { RelativeTime } from "@/components/ui/relative-time";
import { Status } from "@/components/ui/status";
import type { Health, OpenCircuit } from "@/lib/contract/operations/health";
import { CloseCircuit } from "./close-circuit";

interface ListedCircuit extends OpenCircuit {
  readonly provider: string;
}

/** Returns the open circuits of all providers. */
export function listCircuits(providers: Health["providers"]): ListedCircuit[] {
  return providers.flatMap(({ id, open_circuits }) =>
    open_circuits.map((circuit) => ({ provider: id, ...circuit })),
  );
}

export const idOfCircuit = ({ provider, model }: ListedCircuit) => `${provider} ${model}`;

/** Returns the columns, with a button that closes the circuit if the person may close it. */
export function circuitColumns(canClose: boolean): readonly Column<ListedCircuit>[] {
  return [
    {
      id: "circuit",
      header: "Provider and model",
      width: "w-56",
      sortValue: idOfCircuit,
      cell: ({ provider, model }) => (
        <span className="font-mono text-sm break-all">
          <span className="font-medium">{provider}</span> <span className="text-muted">{model}</span>
        </span>
      ),
    },
    {
      id: "failures",
      header: "Failed in a row",
      apiName: "failures",
      numeric: true,
      width: "w-36",
      sortValue: ({ failures }) => failures,
      cell: ({ failures }) => <Quantity value={failures} />,
    },
    {
      id: "since",
      header: "Open since",
      apiName: "since",
      width: "w-36",
      sortValue: ({ since }) => since,
      cell: ({ since }) => <RelativeTime at={since} />,
    },
    {
      id: "next",
      header: "Next try",
      apiName: "next_try_at",
      width: "w-36",
      phone: "end",
      sortValue: ({ next_try_at }) => next_try_at ?? 0,
      cell: ({ next_try_at: at, is_trying: isTrying }) => (
        <Status tone="bad">
          {isTrying ? "in progress" : at === null ? "with the next call" : <ClockTime at={at} />}
        </Status>
      ),
    },
    {
      id: "cause",
      header: "Cause",
      apiName: "cause",
      cell: ({ cause }) => <span className="wrap-anywhere">{cause}</span>,
    },
    ...(canClose
      ? [
          {
            id: "close",
            header: "Close",
            width: "w-32",
            cell: ({ provider, model }: ListedCircuit) => (
              <CloseCircuit providerId={provider} model={model} />
            ),
          },
        ]
      : []),
  ];
}
