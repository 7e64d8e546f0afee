import { groupDigits } from "@/components/ui/group-digits";
import type { Nano } from "@/lib/money/amount";
import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import { costOfDay, sumOf } from "@/lib/money/plan";
import { type Reading, readCount, readUnits } from "./calculate";
import type { PriceSheet } from "./price-sheet";

/** One line of the mix, as typed: a number of calls of one size to one model. */
export interface MixLine {
  /** An id of the price sheet. */
  readonly model: string;
  readonly calls: string;
  /** Tokens of the prompt without those that the provider reads from its cache. */
  readonly input: string;
  readonly cached: string;
  readonly output: string;
  /** Units per call, such as images, for a model that is priced by the unit. */
  readonly units: string;
  /** The share of the calls that are batch lines, in percent. */
  readonly batched: string;
}

export const DAYS_OF_MONTH = 30;

export type AmountName = "input" | "cached" | "output" | "units";

export const usualLine = {
  calls: "1,000",
  input: "1,000",
  cached: "0",
  output: "125",
  units: "1",
  batched: "0",
};

/** Returns the amounts that a call is charged by at this price. */
export function amountNamesOf(price: PriceSnapshot | undefined): readonly AmountName[] {
  return price?.perUnit ? ["units"] : ["input", "cached", "output"];
}

/** Parses one amount of a line: tokens, or millionths of the price's unit. */
export function readLineAmount(
  line: MixLine,
  name: AmountName,
  price: PriceSnapshot | undefined,
): Reading<number> {
  if (name === "units") return readUnits(line.units, price?.perUnit?.unit ?? "");
  const read = readCount(line[name]);
  const sum = (read.value ?? 0) + (readCount(line.input).value ?? 0);
  if (name !== "cached" || Number.isSafeInteger(sum)) return read;
  const most = groupDigits(String(Number.MAX_SAFE_INTEGER));
  return { value: null, fault: `Enter at most ${most} tokens of input, with those that aren’t cached.` };
}

/** Returns the usage of one call of the line; null if an amount is missing or invalid. Cached input is charged as input. */
export function usageOfLine(line: MixLine, price: PriceSnapshot): TokenUsage | null {
  const read = (name: AmountName) => readLineAmount(line, name, price).value;
  if (price.perUnit) {
    const units = read("units");
    return units === null ? null : { promptTokens: 0, completionTokens: 0, units };
  }
  const [input, cached, output] = [read("input"), read("cached"), read("output")];
  if (input === null || cached === null || output === null) return null;
  return { promptTokens: input + cached, completionTokens: output };
}

/** Parses the share of a line's calls that are batch lines, in whole percent. */
export function readShare(text: string): Reading<number> {
  const read = readCount(text);
  if ((read.value ?? 0) <= 100) return read;
  return { value: null, fault: "Enter at most 100: it is a percentage." };
}

/** Returns the daily cost of the line; null if a number is missing or invalid, or the model has no price. */
export function costOfLine(line: MixLine, sheet: PriceSheet): Nano | null {
  const price = sheet.get(line.model);
  const calls = readCount(line.calls).value;
  const usage = price ? usageOfLine(line, price) : null;
  if (!price || calls === null || usage === null) return null;
  const { batchRate } = price;
  if (batchRate === undefined) return costOfDay({ calls, usage, price });
  const share = readShare(line.batched).value;
  if (share === null) return null;
  const batched = shareOf(calls, share);
  return sumOf([
    costOfDay({ calls: calls - batched, usage, price }),
    costOfDay({ calls: batched, usage, price: { ...price, rate: batchRate } }),
  ]);
}

/** A percentage of a number of calls, rounded half up to whole calls. */
export function shareOf(calls: number, percent: number): number {
  return Number((BigInt(calls) * BigInt(percent) + 50n) / 100n);
}

/** Returns the daily cost of all lines; null if there are none or one has no cost. */
export function costOfMix(mix: readonly MixLine[], sheet: PriceSheet): Nano | null {
  const costs = mix.map((line) => costOfLine(line, sheet));
  return costs.includes(null) || costs.length === 0 ? null : sumOf(costs as Nano[]);
}

/** Serializes the mix for the address. What follows the model was added later: older links end before it. */
export function writeMix(mix: readonly MixLine[]): string {
  return mix
    .map(({ calls, input, output, model, cached, units, batched }) =>
      [calls, input, output, model, cached, units, batched].join("\t"),
    )
    .join("\n");
}

export function readMix(text: string): MixLine[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [calls = "", input = "", output = "", model = "", cached, units, batched] = line.split("\t");
    return {
      model,
      calls,
      input,
      cached: cached ?? usualLine.cached,
      output,
      units: units ?? usualLine.units,
      batched: batched ?? usualLine.batched,
    };
  });
}
