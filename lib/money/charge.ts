import { NANO_PER_UNIT, type Nano, toNano } from "./amount";
import { divideRounded } from "./rounding";

const TOKENS_PER_PRICE = 1_000_000n;
/** Units are counted in millionths. */
const PARTS_PER_UNIT = 1_000_000n;
const SCALE = TOKENS_PER_PRICE * NANO_PER_UNIT;

/** The prices of one call, frozen on its hold. Token prices are per 1,000,000 tokens; `rate` is the model rate × 10^9. */
export interface PriceSnapshot {
  readonly inputPer1m: Nano;
  readonly outputPer1m: Nano;
  readonly rate: Nano;
  /** The list price of one unit of media, such as an image or a second; absent for models without media. */
  readonly perUnit?: UnitPriceSnapshot | undefined;
}

export interface UnitPriceSnapshot {
  /** `image`, `second` or `megapixel`. */
  readonly unit: string;
  readonly amount: Nano;
}

/** Token counts of one call: non-negative integers. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Millionths of the price's unit; absent where there is none. */
  readonly units?: number | undefined;
}

/** Usage with the prompt tokens that the provider read from its cache; absent where it doesn't report them. */
export interface ReportedUsage extends TokenUsage {
  readonly cachedTokens?: number;
}

/** list price × model rate of one call, rounded once, half away from zero. */
export function chargeFor(usage: TokenUsage, price: PriceSnapshot): Nano {
  return toNano(divideRounded(listPriceScaled(usage, price) * price.rate, SCALE));
}

/** List price of one call before the model rate, rounded for display. */
export function listPriceOf(usage: TokenUsage, price: PriceSnapshot): Nano {
  return toNano(divideRounded(listPriceScaled(usage, price), TOKENS_PER_PRICE));
}

/**
 * The most output tokens whose charge, with the prompt's, stays within `available`.
 * @returns -1 when not even the prompt is covered, Infinity when output is free.
 */
export function affordableOutputTokens(promptTokens: number, price: PriceSnapshot, available: Nano): number {
  if (chargeFor({ promptTokens, completionTokens: 0 }, price) > available) return -1;
  const perToken = price.outputPer1m * price.rate;
  if (perToken === 0n) return Number.POSITIVE_INFINITY;
  // A charge rounds down to `available` as long as it stays below available + one half.
  const ceiling = (2n * available + 1n) * (SCALE / 2n) - 1n;
  const left = ceiling - BigInt(promptTokens) * price.inputPer1m * price.rate;
  const tokens = left / perToken;
  return tokens > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(tokens);
}

/** The most whole units whose charge stays within `available`; Infinity where they are free. */
export function affordableUnits(price: PriceSnapshot, available: Nano): number {
  const perUnit = (price.perUnit?.amount ?? 0n) * price.rate * PARTS_PER_UNIT;
  if (perUnit === 0n) return Number.POSITIVE_INFINITY;
  // As in `affordableOutputTokens`.
  const ceiling = (2n * available + 1n) * (SCALE / 2n) - 1n;
  const units = ceiling > 0n ? ceiling / perUnit : 0n;
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(units);
}

/** The part of a usage that `available` pays for: first the prompt, then output. */
export function coveredUsage(usage: TokenUsage, price: PriceSnapshot, available: Nano): TokenUsage {
  const { promptTokens, completionTokens } = usage;
  if (chargeFor(usage, price) <= available) return usage;
  const affordable = affordableOutputTokens(promptTokens, price, available);
  if (affordable >= 0) return { promptTokens, completionTokens: Math.min(completionTokens, affordable) };
  const byInput = { ...price, outputPer1m: price.inputPer1m };
  return { promptTokens: Math.max(0, affordableOutputTokens(0, byInput, available)), completionTokens: 0 };
}

function listPriceScaled(usage: TokenUsage, price: PriceSnapshot): bigint {
  const tokens =
    BigInt(usage.promptTokens) * price.inputPer1m + BigInt(usage.completionTokens) * price.outputPer1m;
  return usage.units && price.perUnit ? tokens + BigInt(usage.units) * price.perUnit.amount : tokens;
}
