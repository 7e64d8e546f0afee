import { readTokenPrices } from "@/components/models/read-prices";
import { startOfMonth } from "@/components/usage/start-of-month";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageFigures } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, parseAmount, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { computeCharge, type PriceSnapshot } from "@/lib/money/charge";

/** Returns the read of last month's (UTC) calls by model, or of one model's. `now` in Unix seconds. */
export function trafficRead(
  now: number,
  model: string | null,
): readonly ["retrieveUsageSummary", ReadParameters] {
  const month = { start_time: String(startOfMonth(now, -1)), end_time: String(startOfMonth(now)) };
  const sums = { bucket_width: "range", group_by: "model", latencies: "none", previous: "false" };
  return ["retrieveUsageSummary", { ...month, ...sums, ...(model !== null && { model }) }];
}

/** What calls were made of, in the classes that have prices of their own. */
export interface Traffic {
  /** Tokens of the prompts, without those that were read from a cache. */
  readonly freshTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly audio: { readonly promptTokens: number; readonly completionTokens: number };
  readonly requests: number;
  readonly charged: Nano;
}

export function readTraffic(figures: UsageFigures): Traffic {
  return {
    freshTokens: figures.prompt_tokens - figures.cached_tokens,
    cachedTokens: figures.cached_tokens,
    outputTokens: figures.completion_tokens,
    audio: { promptTokens: figures.input_audio_tokens, completionTokens: figures.output_audio_tokens },
    requests: figures.requests,
    charged: parseCheckedAmount(figures.amount),
  };
}

/**
 * Prices the sums of calls at another rate and other prices, each class at its own. A price of long prompts is left
 * out: sums don't say how long each prompt was. The ledger rounds each call, so results are shown with ≈.
 */
export function priceTraffic(traffic: Traffic, { classes, ...price }: PriceSnapshot): Nano {
  const { freshTokens, cachedTokens, outputTokens, audio } = traffic;
  const cachedInputPer1m = classes?.cachedInputPer1m;
  return computeCharge(
    { promptTokens: freshTokens + cachedTokens, completionTokens: outputTokens, cachedTokens, audio },
    { ...price, ...(cachedInputPer1m !== undefined && { classes: { cachedInputPer1m } }) },
  );
}

export interface ElsewhereRow {
  readonly model: string;
  readonly cost: Nano;
  /** Below zero where it is cheaper than what was charged. */
  readonly difference: Nano;
}

/** The same calls at the prices of each other model of the family, cheapest first. */
export function listElsewhere(
  own: Pick<OrganizationModel, "id" | "family">,
  traffic: Traffic,
  models: readonly OrganizationModel[],
): ElsewhereRow[] {
  return models
    .filter(({ id, family }) => id !== own.id && family === own.family)
    .flatMap((model) => {
      const prices = readTokenPrices(model);
      if (!prices) return [];
      const cost = priceTraffic(traffic, prices);
      return [{ model: model.id, cost, difference: toNano(cost - traffic.charged) }];
    })
    .toSorted((one, other) => (one.cost < other.cost ? -1 : one.cost > other.cost ? 1 : 0));
}

/** The prices of a form: of a provider that isn't connected, or at another rate. Empty cached input costs as input. */
export interface TypedPrices {
  readonly rate: string;
  readonly input: string;
  readonly cached: string;
  readonly output: string;
}

/** Null if one of them is no price. */
export function parseTypedPrices({ rate, input, cached, output }: TypedPrices): PriceSnapshot | null {
  const read = (text: string) => parseAmount(text.replaceAll(",", "").trim());
  const [rateValue, inputPer1m, outputPer1m] = [read(rate), read(input), read(output)];
  const cachedInputPer1m = cached.trim() === "" ? undefined : read(cached);
  if (rateValue === null || inputPer1m === null || outputPer1m === null || cachedInputPer1m === null)
    return null;
  if (rateValue <= 0n || [inputPer1m, outputPer1m, cachedInputPer1m ?? ZERO].some((one) => one < 0n))
    return null;
  const classes = cachedInputPer1m === undefined ? {} : { classes: { cachedInputPer1m } };
  return { rate: rateValue, inputPer1m, outputPer1m, ...classes };
}
