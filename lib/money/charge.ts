import { NANO_PER_UNIT, type Nano, toNano } from "./amount";
import { divideRounded, divideToAmount, type RoundedAmount } from "./rounding";

const TOKENS_PER_PRICE = 1_000_000n;
/** Units are counted in millionths, so that one part of a megapixel is a pixel. */
export const PARTS_PER_UNIT = 1_000_000;
/** A part of a unit in nano-units of its quantity. */
export const NANO_PER_PART = NANO_PER_UNIT / BigInt(PARTS_PER_UNIT);
const PARTS = BigInt(PARTS_PER_UNIT);
const SCALE = TOKENS_PER_PRICE * NANO_PER_UNIT;

/**
 * The prices of one call, frozen on its hold. Token prices are per 1,000,000 tokens; `rate` is the model rate × 10^9.
 */
export interface PriceSnapshot {
  readonly inputPer1m: Nano;
  readonly outputPer1m: Nano;
  readonly rate: Nano;
  /** The list price of one unit of media, such as an image or a second; absent for models without media. */
  readonly perUnit?: UnitPriceSnapshot | undefined;
  /** The prices of tokens of audio; absent if they cost as much as those of text. */
  readonly audio?: AudioPriceSnapshot | undefined;
}

/** Per 1,000,000 tokens. */
export interface AudioPriceSnapshot {
  readonly inputPer1m: Nano;
  readonly outputPer1m: Nano;
}

export interface UnitPriceSnapshot {
  /** One of the contract's price units. */
  readonly unit: string;
  readonly amount: Nano;
}

/** Token counts of one call: non-negative integers. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Millionths of the price's unit; absent if there is none. */
  readonly units?: number | undefined;
  /** How many of the prompt's and the completion's tokens are audio; absent if none are. */
  readonly audio?: AudioTokens | undefined;
}

export interface AudioTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Usage with the prompt tokens that the provider read from its cache; absent if it doesn't report them. */
export interface ReportedUsage extends TokenUsage {
  readonly cachedTokens?: number;
}

/** list price × model rate of one call, rounded once, half away from zero. */
export function computeCharge(usage: TokenUsage, price: PriceSnapshot): Nano {
  return toNano(divideRounded(computeScaledListPrice(usage, price) * price.rate, SCALE));
}

/** List price of one call before the model rate, rounded for display. */
export function computeListPrice(usage: TokenUsage, price: PriceSnapshot): Nano {
  return toNano(divideRounded(computeScaledListPrice(usage, price), TOKENS_PER_PRICE));
}

/** The cost of one call at list prices and as charged. Only the charge is owed; the list price is for display. */
export interface CallCost {
  readonly listPrice: RoundedAmount;
  readonly charge: RoundedAmount;
}

/** The charge of one call and its list price, each rounded once from the exact product. */
export function computeCallCost(usage: TokenUsage, price: PriceSnapshot): CallCost {
  const scaled = computeScaledListPrice(usage, price);
  return {
    listPrice: divideToAmount(scaled, TOKENS_PER_PRICE),
    charge: divideToAmount(scaled * price.rate, SCALE),
  };
}

/**
 * The most output tokens whose charge, with the prompt's, stays within `available`.
 * @returns -1 when not even the prompt is covered, Infinity when output is free.
 */
export function countAffordableOutputTokens(
  promptTokens: number,
  price: PriceSnapshot,
  available: Nano,
): number {
  if (computeCharge({ promptTokens, completionTokens: 0 }, price) > available) return -1;
  const perToken = price.outputPer1m * price.rate;
  if (perToken === 0n) return Number.POSITIVE_INFINITY;
  const remainingAmount =
    computeChargeCeiling(available) - BigInt(promptTokens) * price.inputPer1m * price.rate;
  const tokens = remainingAmount / perToken;
  return tokens > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(tokens);
}

/** The most whole units whose charge stays within `available`; Infinity if they are free. */
export function countAffordableUnits(price: PriceSnapshot, available: Nano): number {
  const perUnit = (price.perUnit?.amount ?? 0n) * price.rate * PARTS;
  if (perUnit === 0n) return Number.POSITIVE_INFINITY;
  const ceiling = computeChargeCeiling(available);
  const units = ceiling > 0n ? ceiling / perUnit : 0n;
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(units);
}

/** The most, before it is divided by `SCALE`, that still rounds to `available`: less than one half above it. */
function computeChargeCeiling(available: Nano): bigint {
  return (2n * available + 1n) * (SCALE / 2n) - 1n;
}

/**
 * The price at which every token costs as much as the dearest of its direction: an upper bound for any share of audio.
 */
export function findHighestPrice(price: PriceSnapshot): PriceSnapshot {
  const { audio, ...text } = price;
  if (!audio) return price;
  const larger = (one: Nano, other: Nano) => (one > other ? one : other);
  return {
    ...text,
    inputPer1m: larger(text.inputPer1m, audio.inputPer1m),
    outputPer1m: larger(text.outputPer1m, audio.outputPer1m),
  };
}

/** The part of a usage that `available` pays for: first the prompt, then output. */
export function findCoveredUsage(usage: TokenUsage, price: PriceSnapshot, available: Nano): TokenUsage {
  if (computeCharge(usage, price) <= available) return usage;
  const { audio, ...tokens } = usage;
  if (!audio || !price.audio) return findCoveredTokens(tokens, price, available);
  const coverage = findCoveredTokens(tokens, findHighestPrice(price), available);
  return {
    ...coverage,
    audio: {
      promptTokens: Math.min(audio.promptTokens, coverage.promptTokens),
      completionTokens: Math.min(audio.completionTokens, coverage.completionTokens),
    },
  };
}

function findCoveredTokens(
  { promptTokens, completionTokens }: TokenUsage,
  price: PriceSnapshot,
  available: Nano,
): TokenUsage {
  const affordable = countAffordableOutputTokens(promptTokens, price, available);
  if (affordable >= 0) return { promptTokens, completionTokens: Math.min(completionTokens, affordable) };
  const byInput = { ...price, outputPer1m: price.inputPer1m };
  return {
    promptTokens: Math.max(0, countAffordableOutputTokens(0, byInput, available)),
    completionTokens: 0,
  };
}

function computeScaledListPrice(usage: TokenUsage, price: PriceSnapshot): bigint {
  const tokens =
    BigInt(usage.promptTokens) * price.inputPer1m + BigInt(usage.completionTokens) * price.outputPer1m;
  const withAudio = tokens + computeAudioSurcharge(usage, price);
  return usage.units && price.perUnit ? withAudio + BigInt(usage.units) * price.perUnit.amount : withAudio;
}

/** What the tokens of audio cost beyond as many of text; negative if they are cheaper. */
function computeAudioSurcharge(
  { audio: tokens }: TokenUsage,
  { inputPer1m, outputPer1m, audio }: PriceSnapshot,
) {
  if (!tokens || !audio) return 0n;
  const input = BigInt(tokens.promptTokens) * (audio.inputPer1m - inputPer1m);
  return input + BigInt(tokens.completionTokens) * (audio.outputPer1m - outputPer1m);
}
