import { startOfMonth } from "@/components/usage/start-of-month";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, type Nano, parseAmount, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge, type PriceSnapshot } from "@/lib/money/charge";
import type { TypedAudioPrice } from "./price-effect";

/** Returns the read of last month's (UTC) usage of a model by project. `now` in Unix seconds. */
export function lastMonthRead(model: string, now: number): readonly ["retrieveUsageSummary", ReadParameters] {
  return [
    "retrieveUsageSummary",
    { ...findLastMonth(now), bucket_width: "range", group_by: "project_id", model, latencies: "none" },
  ];
}

/** Returns the read of last month's (UTC) units of a model by project and list price. `now` in Unix seconds. */
export function lastMonthUnitsRead(
  model: string,
  now: number,
): readonly ["retrieveChargedUnits", ReadParameters] {
  const { start_time, end_time } = findLastMonth(now);
  return ["retrieveChargedUnits", { model_id: model, start_time, end_time }];
}

/** Both reads: of models that are priced by tokens, and of those priced by units. */
export type LastMonthReads = {
  tokens: ReturnType<typeof lastMonthRead>;
  units: ReturnType<typeof lastMonthUnitsRead>;
};

function findLastMonth(now: number): { start_time: string; end_time: string } {
  return { start_time: String(startOfMonth(now, -1)), end_time: String(startOfMonth(now)) };
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
 * Prices last month's tokens at a typed rate and prices, by project and in total; null if the typed text is invalid.
 * Prices token sums at once, while the ledger rounds each call, so show the results with ≈.
 */
export function computeMonthAtPrice(
  summary: Pick<UsageSummary, "groups" | "rest" | "totals">,
  typed: TypedAudioPrice,
): PricedMonth | null {
  const price = parseTypedPrice(typed);
  if (price === null) return null;
  const row = (id: string, name: string, figures: UsageFigures): MonthAtPrice => {
    const usage = {
      promptTokens: figures.prompt_tokens,
      completionTokens: figures.completion_tokens,
      audio: { promptTokens: figures.input_audio_tokens, completionTokens: figures.output_audio_tokens },
      cachedTokens: figures.cached_tokens,
    };
    const charged = formatAmount(parseCheckedAmount(figures.amount));
    return { id, name, charged, atPrice: formatAmount(computeCharge(usage, price)) };
  };
  const projects = summary.groups.map(({ id, name, totals }) =>
    row(id ?? "none", name ?? id ?? "No project", totals),
  );
  const rest = summary.rest
    ? [row("rest", `${summary.rest.groups} other projects`, summary.rest.totals)]
    : [];
  return { projects: [...projects, ...rest], total: row("total", "All projects", summary.totals) };
}

/** Reads typed prices as the gateway takes them; null if one of them is invalid. */
function parseTypedPrice(typed: TypedAudioPrice): PriceSnapshot | null {
  const rate = parseAmount(typed.rate);
  const [inputPer1m, outputPer1m] = [parsePrice(typed.input_per_1m), parsePrice(typed.output_per_1m)];
  if (rate === null || rate <= 0n || inputPer1m === null || outputPer1m === null) return null;
  const cached = typed.cached_input ? parsePrice(typed.cached_input) : undefined;
  if (cached === null) return null;
  const tokens = {
    rate,
    inputPer1m,
    outputPer1m,
    ...(cached !== undefined && { classes: { cachedInputPer1m: cached } }),
  };
  if (typed.audio_input === "" && typed.audio_output === "") return tokens;
  const [heard, spoken] = [parsePrice(typed.audio_input), parsePrice(typed.audio_output)];
  if (heard === null || spoken === null) return null;
  return { ...tokens, audio: { inputPer1m: heard, outputPer1m: spoken } };
}

function parsePrice(text: string): Nano | null {
  const price = parseAmount(text);
  return price === null || price < 0n ? null : price;
}
