import type { ReadParameters } from "@/lib/console/reads/reads";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage-summary";
import { amountOf, formatAmount, parseAmount } from "@/lib/money/amount";
import { chargeFor } from "@/lib/money/charge";
import type { TypedPrice } from "./price-effect";

/** Returns the read of last month's (UTC) usage of a model by project. `now` in Unix seconds. */
export function lastMonthRead(model: string, now: number): readonly ["retrieveUsageSummary", ReadParameters] {
  return ["retrieveUsageSummary", { ...lastMonthOf(now), bucket_width: "1d", group_by: "project_id", model }];
}

/** Returns the read of last month's (UTC) units of a model by project and list price. `now` in Unix seconds. */
export function lastMonthUnitsRead(
  model: string,
  now: number,
): readonly ["retrieveChargedUnits", ReadParameters] {
  const { start_time, end_time } = lastMonthOf(now);
  return ["retrieveChargedUnits", { model_id: model, start_time, end_time }];
}

function lastMonthOf(now: number): { start_time: string; end_time: string } {
  const today = new Date(now * 1000);
  const startOf = (month: number) => String(Date.UTC(today.getUTCFullYear(), month) / 1000);
  return { start_time: startOf(today.getUTCMonth() - 1), end_time: startOf(today.getUTCMonth()) };
}

/** A project's month: the charges, and the cost of its tokens at another rate and price. Decimal strings. */
export interface MonthAtPrice {
  readonly id: string;
  readonly name: string;
  readonly charged: string;
  readonly atPrice: string;
}

/** The largest projects, all others as one, and their total. */
export interface PricedMonth {
  readonly projects: readonly MonthAtPrice[];
  readonly total: MonthAtPrice;
}

/**
 * Prices last month's tokens at a typed rate and price, by project and in total; null if the typed text is invalid. Prices token
 * sums at once, while the ledger rounds each call, so show the results with ≈.
 */
export function monthAtPrice(
  summary: Pick<UsageSummary, "groups" | "rest" | "totals">,
  typed: TypedPrice,
): PricedMonth | null {
  const rate = parseAmount(typed.rate);
  const [inputPer1m, outputPer1m] = [parseAmount(typed.input_per_1m), parseAmount(typed.output_per_1m)];
  if (rate === null || inputPer1m === null || outputPer1m === null) return null;
  if (rate <= 0n || inputPer1m < 0n || outputPer1m < 0n) return null;
  const price = { rate, inputPer1m, outputPer1m };
  const row = (id: string, name: string, figures: UsageFigures): MonthAtPrice => {
    const usage = { promptTokens: figures.prompt_tokens, completionTokens: figures.completion_tokens };
    const charged = formatAmount(amountOf(figures.amount));
    return { id, name, charged, atPrice: formatAmount(chargeFor(usage, price)) };
  };
  const projects = summary.groups.map(({ id, name, totals }) =>
    row(id ?? "none", name ?? id ?? "No project", totals),
  );
  const rest = summary.rest
    ? [row("rest", `${summary.rest.groups} other projects`, summary.rest.totals)]
    : [];
  return { projects: [...projects, ...rest], total: row("total", "All projects", summary.totals) };
}
