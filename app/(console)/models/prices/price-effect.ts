import type { PriceUnit } from "@/lib/contract/calls/model-families";
import {
  computeWorth,
  formatAmount,
  NANO_PER_UNIT,
  type Nano,
  parseAmount,
  toNano,
  ZERO,
} from "@/lib/money/amount";
import { computeCharge, PARTS_PER_UNIT } from "@/lib/money/charge";

/** Typed rate and list prices: decimal strings, or text that isn't a number yet. */
export type TypedPrice = {
  rate: string;
  input_per_1m: string;
  output_per_1m: string;
  /** Tokens of audio cost as much as those of text if these are missing or empty. */
  audio_input?: string | undefined;
  audio_output?: string | undefined;
  /** Cached input costs as much as other input if this is missing or empty. */
  cached_input?: string | undefined;
};

/** The same with the prices of audio, empty where they are those of text. */
export type TypedAudioPrice = TypedPrice & { audio_input: string; audio_output: string };

/** What the rate and prices mean in money, as decimal strings; null if a value is missing or invalid. */
type PriceEffect = {
  worth: string | null;
  input: string | null;
  output: string | null;
  cachedInput: string | null;
  audioInput: string | null;
  audioOutput: string | null;
};

const UNKNOWN: PriceEffect = {
  worth: null,
  input: null,
  output: null,
  cachedInput: null,
  audioInput: null,
  audioOutput: null,
};

const TEN = toNano(10n * NANO_PER_UNIT);
const MILLION = 1_000_000;

/** Returns the worth of a payment of 10.00, and the cost of 1,000,000 tokens of each kind. */
export function computePriceEffect(typed: TypedPrice): PriceEffect {
  const rate = parseAmount(typed.rate);
  if (rate === null || rate <= 0n) return UNKNOWN;
  return {
    worth: formatAmount(computeWorth(TEN, rate).amount),
    input: formatMillionCost(parseAmount(typed.input_per_1m), rate),
    output: formatMillionCost(parseAmount(typed.output_per_1m), rate),
    cachedInput: formatMillionCost(parseAmount(typed.cached_input ?? ""), rate),
    audioInput: formatMillionCost(parseAmount(typed.audio_input ?? ""), rate),
    audioOutput: formatMillionCost(parseAmount(typed.audio_output ?? ""), rate),
  };
}

/** A typed rate and list price of one unit. */
export type TypedUnitPrice = { rate: string; amount: string };

/** A number of units that calls come in, to show what a price means. */
const sizes: Readonly<Record<PriceUnit, number>> = {
  image: 100,
  megapixel: 100,
  second: 60,
  minute: 60,
  character: MILLION,
};

/** Returns the worth of a payment of 10.00, and the cost of one unit and of many. */
export function computeUnitPriceEffect(
  typed: TypedUnitPrice,
  unit: PriceUnit,
): { many: number; worth: string | null; one: string | null; cost: string | null } {
  const [rate, amount] = [parseAmount(typed.rate), parseAmount(typed.amount)];
  const many = sizes[unit];
  if (rate === null || rate <= 0n) return { many, worth: null, one: null, cost: null };
  const worth = formatAmount(computeWorth(TEN, rate).amount);
  if (amount === null || amount < 0n) return { many, worth, one: null, cost: null };
  const computeCost = (units: number) => {
    const usage = { promptTokens: 0, completionTokens: 0, units: units * PARTS_PER_UNIT };
    return formatAmount(
      computeCharge(usage, { inputPer1m: ZERO, outputPer1m: ZERO, rate, perUnit: { unit, amount } }),
    );
  };
  return { many, worth, one: computeCost(1), cost: computeCost(many) };
}

function formatMillionCost(price: Nano | null, rate: Nano): string | null {
  if (price === null || price < 0n) return null;
  const usage = { promptTokens: MILLION, completionTokens: 0 };
  return formatAmount(computeCharge(usage, { inputPer1m: price, outputPer1m: ZERO, rate }));
}
