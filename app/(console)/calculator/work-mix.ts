import { groupDigits } from "@/components/ui/group-digits";
import type { UsageSummary } from "@/lib/contract/operations/usage-summary";
import type { Nano } from "@/lib/money/amount";
import { costOfDay, sumOf } from "@/lib/money/plan";
import { readCount } from "./calculate";
import type { PriceSheet } from "./price-sheet";

/** One line of the mix, as typed: a number of calls of one size to one model. */
export interface MixLine {
  readonly model: string;
  readonly calls: string;
  readonly input: string;
  readonly output: string;
}

/** Returns the daily cost of the line; null if a number is missing or invalid, or the model has no price. */
export function costOfLine(line: MixLine, sheet: PriceSheet): Nano | null {
  const price = sheet.get(line.model);
  const calls = readCount(line.calls).value;
  const input = readCount(line.input).value;
  const output = readCount(line.output).value;
  if (!price || calls === null || input === null || output === null) return null;
  return costOfDay({ calls, usage: { promptTokens: input, completionTokens: output }, price });
}

/** Returns the daily cost of all lines; null if there are none or one has no cost. */
export function costOfMix(mix: readonly MixLine[], sheet: PriceSheet): Nano | null {
  const costs = mix.map((line) => costOfLine(line, sheet));
  return costs.includes(null) || costs.length === 0 ? null : sumOf(costs as Nano[]);
}

/** Serializes the mix for the address. */
export function writeMix(mix: readonly MixLine[]): string {
  return mix.map(({ calls, input, output, model }) => [calls, input, output, model].join("\t")).join("\n");
}

export function readMix(text: string): MixLine[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [calls = "", input = "", output = "", model = ""] = line.split("\t");
    return { calls, input, output, model };
  });
}

/** Returns the average day of the last seven: calls per model, and their average size. */
export function mixOfWeek(summary: Pick<UsageSummary, "groups">, sheet: PriceSheet): MixLine[] {
  return summary.groups.flatMap(({ id, totals }) => {
    if (id === null || !sheet.has(id) || totals.requests === 0) return [];
    const each = (tokens: number) => groupDigits(String(Math.round(tokens / totals.requests)));
    return [
      {
        model: id,
        calls: groupDigits(String(Math.max(1, Math.round(totals.requests / 7)))),
        input: each(totals.prompt_tokens),
        output: each(totals.completion_tokens),
      },
    ];
  });
}
