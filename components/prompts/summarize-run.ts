import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import { writeCsvLine } from "@/lib/contract/csv";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";
import { formatAmount, parseCheckedAmount, sumAmounts } from "@/lib/money/amount";
import { formatCellKey } from "./run-cells";

/** The results of one version with one model. */
export interface Summary {
  readonly version: number;
  readonly model: string;
  readonly calls: number;
  /** Number of answers that passed every check. */
  readonly passed: number;
  readonly failed: number;
  /** Number of calls without a whole answer: refused, stopped or broken off. */
  readonly unanswered: number;
  readonly amount: string;
  /** Median time of the finished answers; null if there are none. */
  readonly medianMs: number | null;
}

function hasPassed({ state, checks }: PromptResult): boolean {
  return state === "finished" && checks.every((fault) => fault === null);
}

/** Returns a summary for each version and model, in the order of the run. */
export function summarize({ versions, models }: PromptRun, results: readonly PromptResult[]): Summary[] {
  return models.flatMap((model) =>
    versions.map((version) => {
      const calls = results.filter((one) => one.prompt_version === version && one.model === model);
      const finished = calls.filter(({ state }) => state === "finished");
      const durations = finished.flatMap(({ duration_ms }) => duration_ms ?? []).toSorted((a, b) => a - b);
      return {
        version,
        model,
        calls: calls.length,
        passed: calls.filter(hasPassed).length,
        failed: finished.filter((one) => !hasPassed(one)).length,
        unanswered: calls.length - finished.length,
        amount: formatAmount(
          sumAmounts(calls.flatMap(({ amount }) => (amount === null ? [] : [parseCheckedAmount(amount)]))),
        ),
        medianMs: durations[Math.floor((durations.length - 1) / 2)] ?? null,
      };
    }),
  );
}

/** Combines stored results with those received since. */
export function mergeResults(
  kept: readonly PromptResult[],
  come: readonly PromptResult[],
): readonly PromptResult[] {
  const found = new Map(
    [...kept, ...come].map((one) => [formatCellKey(one.prompt_version, one.case, one.model), one]),
  );
  return [...found.values()];
}

/** Returns the results as CSV, a line each, with the values of the case. */
export function formatRunAsCsv(run: PromptRun, results: readonly PromptResult[]): string {
  const columns = buildCsvColumns(run);
  const lines = results.map((one) => columns.map(([, value]) => value(one)));
  return [columns.map(([name]) => name), ...lines].map(writeCsvLine).join("");
}

type CsvColumn = readonly [name: string, value: (one: PromptResult) => unknown];

function buildCsvColumns({ cases, currency }: PromptRun): CsvColumn[] {
  const names = [...new Set(cases.flatMap(({ variables }) => Object.keys(variables)))];
  return [
    ["case", (one) => one.case + 1],
    ["model", (one) => one.model],
    ["prompt_version", (one) => one.prompt_version],
    ["state", (one) => one.state],
    ["passed", hasPassed],
    ["refused_by", (one) => one.problem?.check],
    ["problem", (one) => one.problem?.message],
    ["prompt_tokens", (one) => one.prompt_tokens],
    ["completion_tokens", (one) => one.completion_tokens],
    [`amount_${currency.toLowerCase()}`, (one) => one.amount],
    ["first_word_ms", (one) => one.first_word_ms],
    ["duration_ms", (one) => one.duration_ms],
    ["request_id", (one) => one.request_id],
    ["failed_checks", (one) => one.checks.filter((fault) => fault !== null).join("; ")],
    ...names.map(
      (name): CsvColumn => [
        `variable_${name}`,
        (one) => findVariableValue(cases[one.case]?.variables ?? {}, name),
      ],
    ),
    ["answer", (one) => one.answer],
  ];
}
