import {
  divideRounded,
  divideToAmount,
  NANO_PER_UNIT,
  type Nano,
  type RoundedAmount,
  toNano,
  ZERO,
} from "./amount";

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
  /** Prices of some of the input; absent if all of it costs as much, however long the prompt is. */
  readonly classes?: PriceClasses | undefined;
}

/** Per 1,000,000 tokens. A class without a price costs as much as input. */
interface InputPrices {
  /** Tokens that the provider read from its cache. */
  readonly cachedInputPer1m?: Nano | undefined;
  /** Tokens that it wrote to its cache, to be kept for five minutes or for an hour. */
  readonly cacheWrite5mPer1m?: Nano | undefined;
  readonly cacheWrite1hPer1m?: Nano | undefined;
}

export interface PriceClasses extends InputPrices {
  readonly longContext?: LongContextPrice | undefined;
  /** The model rate of calls that ask for the provider's priority, × 10^9; absent if there is none. */
  readonly priorityRate?: Nano | undefined;
  /** The list price of one call of each tool that the provider runs. */
  readonly tools?: Readonly<Record<string, Nano>> | undefined;
  /** Set on a call that asks for priority, and is held for at that rate: the rate if the provider gives it none. */
  readonly standardRate?: Nano | undefined;
  /** On a charge: set if it is at the rate of priority. */
  readonly isPriority?: true | undefined;
  /** On a charge: the `from` of the long context, if its prices were those of the call. */
  readonly longContextFrom?: number | undefined;
}

/** The prices of a call whose prompt is longer than `from`. An absent price is the same as for other calls. */
interface LongContextPrice extends InputPrices {
  readonly from: number;
  readonly inputPer1m?: Nano | undefined;
  readonly outputPer1m?: Nano | undefined;
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
  /** How many of the prompt's tokens were read from the provider's cache; absent if it doesn't report them. */
  readonly cachedTokens?: number | undefined;
  /** How many were written to it, and how many of these are kept for an hour. */
  readonly cacheWriteTokens?: number | undefined;
  readonly cacheWrite1hTokens?: number | undefined;
  /** How often the provider ran each of its tools; absent if none ran. */
  readonly toolCalls?: Readonly<Record<string, number>> | undefined;
  /** Set if the call asked for priority, and the provider says that it gave it none. */
  readonly isStandardTier?: true | undefined;
}

export interface AudioTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Usage with further figures of the provider, which change no charge. */
export interface ReportedUsage extends TokenUsage {
  /** How many of the completion's tokens are reasoning. */
  readonly reasoningTokens?: number | undefined;
  /** Set if its figures of cached tokens contradict each other, so that all are charged as input. */
  readonly isCacheContradicted?: true | undefined;
}

/** list price × model rate of one call, rounded once, half away from zero. */
export function computeCharge(usage: TokenUsage, snapshot: PriceSnapshot): Nano {
  const price = findCallPrice(snapshot, usage);
  return toNano(divideRounded(computeScaledListPrice(usage, price) * price.rate, SCALE));
}

/** List price of one call before the model rate, rounded for display. */
export function computeListPrice(usage: TokenUsage, price: PriceSnapshot): Nano {
  return toNano(divideRounded(computeScaledListPrice(usage, findCallPrice(price, usage)), TOKENS_PER_PRICE));
}

/** The cost of one call at list prices and as charged. Only the charge is owed; the list price is for display. */
export interface CallCost {
  readonly listPrice: RoundedAmount;
  readonly charge: RoundedAmount;
}

/** The charge of one call and its list price, each rounded once from the exact product. */
export function computeCallCost(usage: TokenUsage, snapshot: PriceSnapshot): CallCost {
  const price = findCallPrice(snapshot, usage);
  const scaled = computeScaledListPrice(usage, price);
  return {
    listPrice: divideToAmount(scaled, TOKENS_PER_PRICE),
    charge: divideToAmount(scaled * price.rate, SCALE),
  };
}

/**
 * The most output tokens whose charge, with the prompt's and that of tools, stays within `available`.
 * @returns -1 when not even the prompt is covered, Infinity when output is free.
 */
export function countAffordableOutputTokens(
  promptTokens: number,
  snapshot: PriceSnapshot,
  available: Nano,
  { toolCalls }: Pick<TokenUsage, "toolCalls"> = {},
): number {
  const prompt = { promptTokens, completionTokens: 0, toolCalls };
  const price = findCallPrice(snapshot, prompt);
  if (computeCharge(prompt, price) > available) return -1;
  const perToken = price.outputPer1m * price.rate;
  if (perToken === 0n) return Number.POSITIVE_INFINITY;
  const remainingAmount =
    computeChargeCeiling(available) - computeScaledListPrice(prompt, price) * price.rate;
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

/** How long a prompt may be kept in a provider's cache. */
export type CacheLifetime = "5m" | "1h";

/** What is known of a prompt before it is sent. */
interface PromptBounds {
  readonly maxPromptTokens: number;
  /** The longest that any of it may be cached; absent if it isn't. */
  readonly cacheWrite?: CacheLifetime | undefined;
}

/**
 * The price at which every token costs as much as the dearest of its direction: an upper bound for any share of audio
 * and of cached tokens.
 */
export function findHighestPrice(
  price: PriceSnapshot,
  { maxPromptTokens, cacheWrite }: PromptBounds,
): PriceSnapshot {
  const { audio, classes, inputPer1m, outputPer1m, rate, ...rest } = price;
  if (!audio && !classes) return price;
  const { cachedInputPer1m, cacheWrite5mPer1m, cacheWrite1hPer1m, longContext } = classes ?? {};
  const { tools, standardRate } = classes ?? {};
  const long = longContext && maxPromptTokens > longContext.from ? longContext : undefined;
  const inputs = [inputPer1m, audio?.inputPer1m, cachedInputPer1m, long?.inputPer1m, long?.cachedInputPer1m];
  if (cacheWrite) inputs.push(cacheWrite5mPer1m, long?.cacheWrite5mPer1m);
  if (cacheWrite === "1h") inputs.push(cacheWrite1hPer1m, long?.cacheWrite1hPer1m);
  const outputs = [outputPer1m, audio?.outputPer1m, long?.outputPer1m];
  return {
    ...rest,
    inputPer1m: findLargest(inputs),
    outputPer1m: findLargest(outputs),
    rate: findLargest([rate, standardRate]),
    ...(tools && { classes: { tools } }),
  };
}

function findLargest(amounts: readonly (Nano | undefined)[]): Nano {
  return amounts.reduce<Nano>((largest, one) => (one !== undefined && one > largest ? one : largest), ZERO);
}

/** The part of a usage that `available` pays for: first the prompt, then output. */
export function findCoveredUsage(usage: TokenUsage, price: PriceSnapshot, available: Nano): TokenUsage {
  if (computeCharge(usage, price) <= available) return usage;
  const { promptTokens, cacheWriteTokens, cacheWrite1hTokens, audio } = usage;
  const cacheWrite = cacheWrite1hTokens ? "1h" : cacheWriteTokens ? "5m" : undefined;
  const own = audio ? price : { ...price, audio: undefined };
  const dearest = findHighestPrice(own, { maxPromptTokens: promptTokens, cacheWrite });
  return shortenTo(usage, findCoveredTokens(usage, dearest, available));
}

/** A usage of fewer tokens: no part is larger than its whole, such as cached tokens than the prompt. */
function shortenTo(
  { audio, ...usage }: TokenUsage,
  { promptTokens, completionTokens }: TokenUsage,
): TokenUsage {
  const cachedTokens = Math.min(usage.cachedTokens ?? 0, promptTokens);
  const cacheWriteTokens = Math.min(usage.cacheWriteTokens ?? 0, promptTokens - cachedTokens);
  return {
    promptTokens,
    completionTokens,
    ...(usage.cachedTokens !== undefined && { cachedTokens }),
    ...(usage.cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(usage.cacheWrite1hTokens !== undefined && {
      cacheWrite1hTokens: Math.min(usage.cacheWrite1hTokens, cacheWriteTokens),
    }),
    ...(audio && {
      audio: {
        promptTokens: Math.min(audio.promptTokens, promptTokens),
        completionTokens: Math.min(audio.completionTokens, completionTokens),
      },
    }),
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

/** The prices that a call is charged at: those of the long context if its prompt is that long, at the rate it got. */
export function findCallPrice(
  price: PriceSnapshot,
  { promptTokens, isStandardTier }: Pick<TokenUsage, "promptTokens" | "isStandardTier">,
): PriceSnapshot {
  if (!price.classes) return price;
  const { longContext, standardRate, ...others } = price.classes;
  if (longContext === undefined && standardRate === undefined) return price;
  const long = longContext && promptTokens > longContext.from ? longContext : undefined;
  const { inputPer1m = price.inputPer1m, outputPer1m = price.outputPer1m } = long ?? {};
  const classes = {
    ...others,
    ...(long && {
      cachedInputPer1m: long.cachedInputPer1m ?? others.cachedInputPer1m,
      cacheWrite5mPer1m: long.cacheWrite5mPer1m ?? others.cacheWrite5mPer1m,
      cacheWrite1hPer1m: long.cacheWrite1hPer1m ?? others.cacheWrite1hPer1m,
      longContextFrom: long.from,
    }),
  };
  if (standardRate === undefined) return { ...price, inputPer1m, outputPer1m, classes };
  if (isStandardTier) return { ...price, inputPer1m, outputPer1m, rate: standardRate, classes };
  return { ...price, inputPer1m, outputPer1m, classes: { ...classes, isPriority: true } };
}

/** The price of a call that asks for priority. */
export function atPriorityRate(price: PriceSnapshot): PriceSnapshot {
  const { priorityRate, ...classes } = price.classes ?? {};
  if (priorityRate === undefined) return price;
  return { ...price, rate: priorityRate, classes: { ...classes, standardRate: price.rate } };
}

/** A number of tokens at a price of their own. */
export interface PricedTokens {
  readonly name: keyof InputPrices;
  readonly tokens: number;
  readonly per1m: Nano;
}

/**
 * The parts of a prompt that have a price of their own, at the prices of `findCallPrice`. If more of it are cached and
 * written than there are, all is input.
 */
export function listPricedInput(usage: TokenUsage, { classes = {} }: PriceSnapshot): readonly PricedTokens[] {
  const { promptTokens, cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage;
  if (cachedTokens + cacheWriteTokens > promptTokens || cacheWrite1hTokens > cacheWriteTokens) return [];
  const { cachedInputPer1m, cacheWrite5mPer1m, cacheWrite1hPer1m } = classes;
  const cacheWrite5mTokens = cacheWriteTokens - cacheWrite1hTokens;
  const parts = [
    { name: "cachedInputPer1m", tokens: cachedTokens, per1m: cachedInputPer1m },
    { name: "cacheWrite5mPer1m", tokens: cacheWrite5mTokens, per1m: cacheWrite5mPer1m },
    { name: "cacheWrite1hPer1m", tokens: cacheWrite1hTokens, per1m: cacheWrite1hPer1m },
  ] as const;
  return parts.filter((part): part is PricedTokens => part.tokens > 0 && part.per1m !== undefined);
}

/** @param price as `findCallPrice` returns it. */
function computeScaledListPrice(usage: TokenUsage, price: PriceSnapshot): bigint {
  const inputs = price.classes ? listPricedInput(usage, price) : [];
  let sum =
    BigInt(usage.promptTokens) * price.inputPer1m + BigInt(usage.completionTokens) * price.outputPer1m;
  let unpriced = usage.promptTokens;
  for (const { tokens, per1m } of inputs) {
    sum += BigInt(tokens) * (per1m - price.inputPer1m);
    unpriced -= tokens;
  }
  sum += computeAudioSurcharge(usage, price, unpriced) + computeToolCharge(usage, price);
  return usage.units && price.perUnit ? sum + BigInt(usage.units) * price.perUnit.amount : sum;
}

function computeToolCharge({ toolCalls }: TokenUsage, { classes }: PriceSnapshot): bigint {
  if (!toolCalls || !classes?.tools) return 0n;
  let sum = 0n;
  for (const name in toolCalls)
    sum += BigInt(toolCalls[name] ?? 0) * (classes.tools[name] ?? 0n) * TOKENS_PER_PRICE;
  return sum;
}

/**
 * What the tokens of audio cost beyond as many of text; negative if they are cheaper. Tokens that are cached have the
 * price of these, also if they are audio.
 */
function computeAudioSurcharge(
  { audio: tokens }: TokenUsage,
  { inputPer1m, outputPer1m, audio }: PriceSnapshot,
  maxInput: number,
) {
  if (!tokens || !audio) return 0n;
  const input = BigInt(Math.min(tokens.promptTokens, maxInput)) * (audio.inputPer1m - inputPer1m);
  return input + BigInt(tokens.completionTokens) * (audio.outputPer1m - outputPer1m);
}
