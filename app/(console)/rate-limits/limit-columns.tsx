import { SandboxBadge } from "@/components/models/sandbox-badge";
import { hasEffect, type LimitField, limitFields } from "@/components/rate-limits/limit-fields";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { Quantity } from "@/components/ui/values/quantity";
import { carriedMeasures, type Measure, type RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitRow } from "./limit-row";
import { LimitUsageInRow } from "./limit-usage-in-row";

const shownOnPhone: readonly RateLimitField[] = [
  "max_requests_per_1_minute",
  "max_tokens_per_1_minute",
  "max_requests_per_1_day",
];

/** Few projects limit what prompts carry. */
const rare: readonly Measure[] = carriedMeasures;

export const limitColumns: readonly Column<LimitRow>[] = [
  {
    id: "model",
    header: "Model",
    sortValue: ({ limit }) => limit.model,
    cell: ({ limit, sandbox }) => (
      <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-sm break-all">{limit.model}</span>
        {sandbox && <SandboxBadge />}
      </span>
    ),
  },
  {
    id: "family",
    header: "Family",
    phone: "end",
    sortValue: ({ family }) => family,
    cell: ({ family }) => <span className="text-muted">{family ?? "not known"}</span>,
  },
  ...limitFields.map(
    (field): Column<LimitRow> => ({
      id: field.name,
      header: field.column,
      unit: field.per,
      apiName: field.name,
      numeric: true,
      wide: rare.includes(field.counts),
      phone: shownOnPhone.includes(field.name) ? "detail" : "hidden",
      sortValue: (row) => sortValue(row, field),
      cell: (row) => <Limit row={row} field={field} />,
    }),
  ),
];

function Limit({ row, field }: { row: LimitRow; field: LimitField }) {
  const value = row.limit[field.name];
  if (!hasEffect(field, row.family))
    return (
      <span
        className="whitespace-nowrap text-muted"
        title={`Doesn’t apply to models of the family ${row.family}`}
      >
        no effect
      </span>
    );
  if (value === 0) {
    return (
      <>
        <Status tone="near">0, nothing passes</Status>
        <LimitUsageInRow model={row.limit.model} field={field.name} />
      </>
    );
  }
  return (
    <span className="whitespace-nowrap">
      <Quantity value={value} none="no limit" />
      <LimitUsageInRow model={row.limit.model} field={field.name} />
    </span>
  );
}

/** "No limit" sorts above every number. A limit without effect is always last. */
function sortValue({ limit, family }: LimitRow, field: LimitField): number | null {
  if (!hasEffect(field, family)) return null;
  return limit[field.name] ?? Number.POSITIVE_INFINITY;
}
