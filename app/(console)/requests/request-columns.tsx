import { OutcomeChip } from "@/components/requests/outcome-chip";
import { ProjectAndKey } from "@/components/requests/project-and-key";
import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import { describeDuration } from "@/components/ui/values/describe-latency";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import type { LoggedRequest, UnlistedRefusals } from "@/lib/contract/operations/calls/requests";

/** A call, or the number of refusals of a minute that were counted but not logged. */
export type RequestRow = LoggedRequest | UnlistedRefusals;

export const isCall = (row: RequestRow): row is LoggedRequest => "object" in row;

/** All columns that can be shown, with their labels. */
export const columnNames = {
  project: "Project and key",
  model: "Model",
  outcome: "Outcome",
  status: "Status",
  tokens: "Usage",
  first: "First byte",
  amount: "Cost",
  took: "Duration",
  stream: "Stream",
  id: "Request id",
} as const;
export type ColumnName = keyof typeof columnNames;
export const defaultColumns: readonly ColumnName[] = [
  "project",
  "model",
  "outcome",
  "tokens",
  "amount",
  "took",
];

type Cell = Omit<Column<RequestRow>, "id" | "header" | "cell"> & {
  cell: (request: LoggedRequest) => React.ReactNode;
};

const cells: Record<ColumnName, Cell> = {
  project: {
    cell: (request) => <ProjectAndKey {...request} />,
  },
  model: {
    apiName: "model",
    width: "w-48",
    cell: ({ model }) => <code className="font-mono text-sm wrap-anywhere">{model}</code>,
  },
  outcome: { apiName: "outcome", width: "w-44", cell: (request) => <OutcomeChip request={request} /> },
  status: { apiName: "status", width: "w-20", numeric: true, phone: "hidden", cell: ({ status }) => status },
  tokens: {
    apiName: "prompt_tokens",
    width: "w-40",
    numeric: true,
    phone: "hidden",
    wide: true,
    cell: describeUsage,
  },
  first: {
    apiName: "first_byte_ms",
    width: "w-24",
    numeric: true,
    phone: "hidden",
    cell: ({ first_byte_ms }) => duration(first_byte_ms),
  },
  amount: {
    apiName: "amount",
    width: "w-32",
    numeric: true,
    amount: (row) => (isCall(row) ? row.amount : null),
    cell: ({ amount }) => amount !== null && <Money amount={amount} />,
  },
  took: {
    apiName: "duration_ms",
    width: "w-24",
    numeric: true,
    cell: ({ duration_ms }) => duration(duration_ms),
  },
  stream: {
    apiName: "stream",
    width: "w-20",
    phone: "hidden",
    cell: ({ stream }) => stream !== null && (stream ? "Yes" : "No"),
  },
  id: {
    apiName: "id",
    phone: "hidden",
    cell: ({ id }) => <code className="font-mono text-sm wrap-anywhere text-muted">{id}</code>,
  },
};

/** Returns the time column, then the chosen columns in their fixed order. */
export function requestColumns(
  chosen: readonly ColumnName[],
  currency: string | undefined,
): readonly Column<RequestRow>[] {
  const names = (Object.keys(columnNames) as ColumnName[]).filter((name) => chosen.includes(name));
  const [first] = names;
  return [
    {
      id: "time",
      header: "Time",
      apiName: "created_at",
      width: "w-28",
      cell: (row) => <ClockTime at={isCall(row) ? row.created_at : row.minute} toMinute={!isCall(row)} />,
    },
    ...names.map((name): Column<RequestRow> => {
      const { cell, ...rest } = cells[name];
      return {
        ...rest,
        id: name,
        header: columnNames[name],
        unit: name === "amount" ? currency : undefined,
        cell: (row) => (isCall(row) ? cell(row) : name === first && <Unlisted {...row} />),
        phone: name === "outcome" ? "end" : (rest.phone ?? "detail"),
      };
    }),
  ];
}

function Unlisted({ refusals }: UnlistedRefusals) {
  return (
    // Over the row's other cells, which are empty, without widening its own.
    <span className="block w-px text-left whitespace-nowrap text-muted listed:w-auto listed:text-right listed:whitespace-normal">
      {formatCount(refusals)} more {refusals === 1 ? "refusal" : "refusals"} of this minute counted, not
      listed
    </span>
  );
}

/** Returns the tokens or units used; for a refused call, the estimate, if one was made. */
function describeUsage({ units, unit, ...request }: LoggedRequest) {
  if (units !== null && unit !== null) return describeUnits(units, unit);
  const { prompt_tokens, completion_tokens, estimated_tokens, outcome } = request;
  if (prompt_tokens !== null && completion_tokens !== null) {
    return `${formatCount(prompt_tokens)} → ${formatCount(completion_tokens)}`;
  }
  return outcome === "refused" && !!estimated_tokens && `≈ ${formatCount(estimated_tokens)}`;
}

const duration = (ms: number | null) => ms !== null && describeDuration(ms);
