import { formatCount } from "@/components/ui/values/group-digits";
import { formatAmount, type Nano, sumAmounts } from "@/lib/money/amount";
import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import { computeDailyCost } from "@/lib/money/daily-cost";
import { parseTypedAmount, parseTypedCount, parseTypedUnits, type TypedValue } from "../calculate";
import type { PriceSheet } from "../price-sheet";

/** One line of the mix, as typed: a number of calls of one size to one model. */
export interface MixLine {
  /** An id of the price sheet. */
  readonly model: string;
  readonly calls: string;
  /** Tokens of the prompt without those that the provider reads from its cache. */
  readonly input: string;
  readonly cached: string;
  /** Tokens that it writes to its cache, for a model that has a price of its own for them. */
  readonly written: string;
  readonly output: string;
  /** Tokens of audio beside those of text, for a model that has prices of its own for them. */
  readonly audioInput: string;
  readonly audioOutput: string;
  /** Units per call, such as images, for a model that is priced by the unit. */
  readonly units: string;
  /** The share of the calls that are batch lines, in percent. */
  readonly batched: string;
}

export const DAYS_OF_MONTH = 30;

export type AmountName = "input" | "cached" | "written" | "output" | "audioInput" | "audioOutput" | "units";

export const usualLine = {
  calls: "1,000",
  input: "1,000",
  cached: "0",
  written: "0",
  output: "125",
  audioInput: "0",
  audioOutput: "0",
  units: "1",
  batched: "0",
};

/** Stands for all models without a line of their own. Its `units` are their charged cost a day. */
export const OTHER_MODELS = "All other models";

export function otherModelsLine(calls: string, costPerDay: Nano): MixLine {
  return {
    ...usualLine,
    model: OTHER_MODELS,
    calls,
    input: "0",
    output: "0",
    units: formatAmount(costPerDay),
  };
}

/**
 * Returns the amounts that a call is charged by at this price. Tokens of audio that cost nothing need not be counted.
 */
export function listAmountNames(price: PriceSnapshot | undefined): readonly AmountName[] {
  if (price?.perUnit) return ["units"];
  const { inputPer1m = 0n, outputPer1m = 0n } = price?.audio ?? {};
  const audioInput = inputPer1m > 0n ? (["audioInput"] as const) : [];
  const audioOutput = outputPer1m > 0n ? (["audioOutput"] as const) : [];
  const written = price?.classes?.cacheWrite5mPer1m === undefined ? [] : (["written"] as const);
  return ["input", "cached", "output", ...written, ...audioInput, ...audioOutput];
}

/** Parses one amount of a line: tokens, or millionths of the price's unit. */
export function parseLineAmount(
  line: MixLine,
  name: AmountName,
  price: PriceSnapshot | undefined,
): TypedValue<number> {
  if (name === "units") return parseTypedUnits(line.units, price?.perUnit?.unit ?? "");
  const parsed = parseTypedCount(line[name]);
  const others = countedWith[name].map((other) => parseTypedCount(line[other]).value ?? 0);
  const sum = others.reduce((total, tokens) => total + tokens, parsed.value ?? 0);
  if (Number.isSafeInteger(sum)) return parsed;
  const most = formatCount(Number.MAX_SAFE_INTEGER);
  const direction = name === "audioOutput" ? "output" : "input";
  return {
    value: null,
    fault: `Enter at most ${most} tokens of ${direction}, with those in the other boxes.`,
  };
}

/** The amounts before each one that are added to it. Where the sum is too large, the last box has the error. */
const countedWith = {
  input: [],
  output: [],
  cached: ["input"],
  written: ["input", "cached"],
  audioInput: ["input", "cached", "written"],
  audioOutput: ["output"],
} as const satisfies Record<Exclude<AmountName, "units">, readonly AmountName[]>;

/**
 * Returns the usage of one call of the line; null if an amount is missing or invalid.
 */
export function computeLineUsage(line: MixLine, price: PriceSnapshot): TokenUsage | null {
  const names = listAmountNames(price);
  const parse = (name: AmountName) => (names.includes(name) ? parseLineAmount(line, name, price).value : 0);
  if (price.perUnit) {
    const units = parse("units");
    return units === null ? null : { promptTokens: 0, completionTokens: 0, units };
  }
  const [input, cached, output, written] = [
    parse("input"),
    parse("cached"),
    parse("output"),
    parse("written"),
  ];
  if (input === null || cached === null || output === null || written === null) return null;
  const classes = { cachedTokens: cached, cacheWriteTokens: written };
  const promptTokens = input + cached + written;
  if (!price.audio) return { promptTokens, completionTokens: output, ...classes };
  const [audioInput, audioOutput] = [parse("audioInput"), parse("audioOutput")];
  if (audioInput === null || audioOutput === null) return null;
  return {
    promptTokens: promptTokens + audioInput,
    completionTokens: output + audioOutput,
    ...classes,
    audio: { promptTokens: audioInput, completionTokens: audioOutput },
  };
}

/** Parses the share of a line's calls that are batch lines, in whole percent. */
export function parseShare(text: string): TypedValue<number> {
  const parsed = parseTypedCount(text);
  if ((parsed.value ?? 0) <= 100) return parsed;
  return { value: null, fault: "Enter at most 100: it is a percentage." };
}

/** Returns the daily cost of the line; null if a number is missing or invalid, or the model has no price. */
export function computeLineCost(line: MixLine, sheet: PriceSheet): Nano | null {
  if (line.model === OTHER_MODELS) return parseTypedAmount(line.units).value;
  const price = sheet.get(line.model);
  const calls = parseTypedCount(line.calls).value;
  const usage = price ? computeLineUsage(line, price) : null;
  if (!price || calls === null || usage === null) return null;
  const { batchRate } = price;
  if (batchRate === undefined) return computeDailyCost({ calls, usage, price });
  const share = parseShare(line.batched).value;
  if (share === null) return null;
  const batched = takePercent(calls, share);
  return sumAmounts([
    computeDailyCost({ calls: calls - batched, usage, price }),
    computeDailyCost({ calls: batched, usage, price: { ...price, rate: batchRate } }),
  ]);
}

/** A percentage of a number of calls, rounded half up to whole calls. */
function takePercent(calls: number, percent: number): number {
  return Number((BigInt(calls) * BigInt(percent) + 50n) / 100n);
}

/** Returns the daily cost of all lines; null if there are none or one has no cost. */
export function computeMixCost(mix: readonly MixLine[], sheet: PriceSheet): Nano | null {
  const costs = mix.map((line) => computeLineCost(line, sheet));
  return costs.includes(null) || costs.length === 0 ? null : sumAmounts(costs as Nano[]);
}

/** Serializes the mix for the address. What follows the model was added later: older links end before it. */
export function writeMix(mix: readonly MixLine[]): string {
  return mix
    .map(({ calls, input, output, model, cached, units, batched, audioInput, audioOutput, written }) =>
      [calls, input, output, model, cached, units, batched, audioInput, audioOutput, written].join("\t"),
    )
    .join("\n");
}

export function parseMix(text: string): MixLine[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [calls = "", input = "", output = "", model = "", ...later] = line.split("\t");
    const [cached, units, batched, audioInput, audioOutput, written] = later;
    return {
      model,
      calls,
      input,
      cached: cached ?? usualLine.cached,
      written: written ?? usualLine.written,
      output,
      audioInput: audioInput ?? usualLine.audioInput,
      audioOutput: audioOutput ?? usualLine.audioOutput,
      units: units ?? usualLine.units,
      batched: batched ?? usualLine.batched,
    };
  });
}
