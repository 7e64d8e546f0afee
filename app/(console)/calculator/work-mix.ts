import { groupDigits } from "@/components/ui/group-digits";
import type { UsageSummary } from "@/lib/contract/operations/usage-summary";
import type { Nano } from "@/lib/money/amount";
import { costOfDay, sumOf } from "@/lib/money/plan";
import { readCount } from "./calculate";
import type { PriceSheet } from "./price-sheet";

/** A line of a day's work, as typed: calls of one size to one model. */
export interface MixLine {
  readonly model: string;
  readonly calls: string;
  readonly input: string;
  readonly output: string;
}

/** What a day of the line costs; null while a number is missing or wrong, or the model has no price. */
export function costOfLine(line: MixLine, sheet: PriceSheet): Nano | null {
  const price = sheet.get(line.model);
  const calls = readCount(line.calls).value;
  const input = readCount(line.input).value;
  const output = readCount(line.output).value;
  if (!price || calls === null || input === null || output === null) return null;
  return costOfDay({ calls, usage: { promptTokens: input, completionTokens: output }, price });
}

/** What a day of all lines costs; null while one of them has no cost yet. */
export function costOfMix(mix: readonly MixLine[], sheet: PriceSheet): Nano | null {
  const costs = mix.map((line) => costOfLine(line, sheet));
  return costs.includes(null) || costs.length === 0 ? null : sumOf(costs as Nano[]);
}

/** As an address carries it. */
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

/** What an average day of the last seven was: each model's calls, and their usual size. */
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
