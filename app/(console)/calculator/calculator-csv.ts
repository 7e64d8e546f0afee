import { writeCsvLine } from "@/lib/contract/write-csv";
import { formatAmount, type Nano } from "@/lib/money/amount";
import type { Purchase } from "./calculate";
import type { PurchaseRow } from "./purchase-columns";

const columns: readonly [string, (row: PurchaseRow) => Nano | number | string | null][] = [
  ["model", ({ model }) => model],
  ["rate", ({ price }) => price.rate],
  ["input_per_1m", ({ price }) => price.inputPer1m],
  ["output_per_1m", ({ price }) => price.outputPer1m],
  ["payment", ({ payment }) => payment.amount],
  ["worth", ({ worth }) => worth.amount],
  ["input_tokens", ({ inputTokens }) => inputTokens],
  ["output_tokens", ({ outputTokens }) => outputTokens],
  ["calls", ({ calls }) => calls],
  ["cost_per_call", ({ callCost }) => callCost.charge.amount],
  ["unit", ({ price }) => price.perUnit?.unit ?? null],
  ["unit_price", ({ price }) => price.perUnit?.amount ?? null],
  ["units", ({ units }) => units],
];

const columnsThen: readonly [string, (linked: Purchase) => Nano | number][] = [
  ["payment_as_computed", ({ payment }) => payment.amount],
  ["worth_as_computed", ({ worth }) => worth.amount],
  ["calls_as_computed", ({ calls }) => calls],
];

/** Returns the comparison as CSV with exact amounts. `hasThen` adds the results at the time of the open link. */
export function writePurchases(rows: readonly PurchaseRow[], { hasThen }: { hasThen: boolean }): string {
  const extra = hasThen ? columnsThen : [];
  const head = writeCsvLine([...columns, ...extra].map(([name]) => name));
  const lines = rows.map((row) =>
    writeCsvLine([
      ...columns.map(([, readValue]) => write(readValue(row))),
      ...extra.map(([, readValue]) => (row.linked ? write(readValue(row.linked)) : null)),
    ]),
  );
  return head + lines.join("");
}

function write(value: Nano | number | string | null): number | string | null {
  if (typeof value === "bigint") return formatAmount(value);
  return value === Number.POSITIVE_INFINITY ? "free" : value;
}
