"use client";

import { useState } from "react";
import { describeCheck } from "@/components/prompts/check-answer";
import { formatCellKey } from "@/components/prompts/run-cells";
import { limitLabels } from "@/components/rate-limits/limit-fields";
import { Dialog } from "@/components/ui/dialog/dialog";
import { TextLink } from "@/components/ui/links/text-link";
import { Status, type Tone } from "@/components/ui/status";
import { CopyButton } from "@/components/ui/text/copy-button";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";

type ResultTableProps = { run: PromptRun; results: readonly PromptResult[]; isRunning: boolean };

/** A row for each case and a column for each model; with several versions, those of a model stand side by side. */
export function ResultTable({ run, results, isRunning }: ResultTableProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const columns = run.models.flatMap((model) => run.versions.map((version) => ({ model, version })));
  const found = new Map(results.map((one) => [formatCellKey(one.prompt_version, one.case, one.model), one]));
  const shown = opened === null ? undefined : found.get(opened);
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full min-w-[40rem] border-collapse text-left">
        <caption className="sr-only">Answers, case by case</caption>
        <thead className="border-b text-sm text-muted">
          <tr>
            <th scope="col" className="sticky left-0 z-1 w-48 bg-surface px-3 py-2 font-normal max-sm:w-32">
              Case
            </th>
            {columns.map(({ model, version }) => (
              <th key={`${model} ${version}`} scope="col" className="border-l px-3 py-2 font-normal">
                <code className="font-mono wrap-anywhere text-foreground">{model}</code>
                {run.versions.length > 1 && <span className="block">Version {version}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.cases.map(({ variables }, caseIndex) => (
            <tr key={caseIndex} className="border-b align-top last:border-b-0">
              <th scope="row" className="sticky left-0 z-1 bg-surface px-3 py-2.5 font-normal">
                <span className="block font-medium">Case {caseIndex + 1}</span>
                <span className="line-clamp-4 text-sm wrap-anywhere text-muted">
                  {Object.entries(variables)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join(", ")}
                </span>
              </th>
              {columns.map(({ model, version }) => {
                const key = formatCellKey(version, caseIndex, model);
                return (
                  <td key={key} className="min-w-56 border-l px-3 py-2.5">
                    <ResultCell
                      result={found.get(key)}
                      currency={run.currency}
                      isRunning={isRunning}
                      open={() => setOpened(key)}
                      label={`Case ${caseIndex + 1}, ${model}, version ${version}`}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {shown && <ResultDialog run={run} result={shown} close={() => setOpened(null)} />}
    </div>
  );
}

type ResultDialogProps = { run: PromptRun; result: PromptResult; close: () => void };

/** Shows a whole answer and the result of each check. */
function ResultDialog({ run, result, close }: ResultDialogProps) {
  const { prompt_version, case: caseIndex, model, answer, checks, problem } = result;
  const asked = run.cases[caseIndex];
  const { tone, label } = describeResult(result);
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title={`Case ${caseIndex + 1} · ${model} · version ${prompt_version}`}
    >
      <div className="grid gap-4">
        <Status tone={tone}>{label}</Status>
        {problem && <p className="wrap-anywhere">{problem.message}</p>}
        {asked && asked.checks.length > 0 && (
          <ul aria-label="Checks" className="grid gap-1">
            {asked.checks.map((check, index) => (
              <li key={index} className="flex flex-wrap items-baseline gap-x-2">
                <Status tone={checks[index] === null ? "good" : "bad"}>
                  {checks[index] === null ? "Passed" : "Failed"}
                </Status>
                <span className="min-w-0 text-sm wrap-anywhere">
                  {describeCheck(check)}
                  {checks[index] && <span className="text-muted"> · {checks[index]}</span>}
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className="relative rounded-md border bg-surface px-4 py-3 pr-12">
          <span className="absolute top-2 right-2">
            <CopyButton text={answer} what="answer" />
          </span>
          <p className="wrap-anywhere whitespace-pre-wrap">{answer}</p>
        </div>
      </div>
    </Dialog>
  );
}

type ResultCellProps = {
  result: PromptResult | undefined;
  currency: string;
  isRunning: boolean;
  open: () => void;
  /** The accessible name of the result. */
  label: string;
};

/** A short summary of one call's result. */
function ResultCell({ result, currency, isRunning, open, label }: ResultCellProps) {
  if (!result) return <span className="text-sm text-muted">{isRunning ? "Waiting…" : "Not run"}</span>;
  const { tone, label: outcome } = describeResult(result);
  const message = result.problem?.message ?? result.checks.find((fault) => fault !== null) ?? null;
  return (
    <div className="grid gap-1">
      <Status tone={tone}>{outcome}</Status>
      {message !== null && <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{message}</p>}
      {result.answer !== "" && (
        <button
          type="button"
          aria-label={`Answer: ${label}`}
          onClick={open}
          className="line-clamp-3 rounded-sm text-left wrap-anywhere hover:text-accent-text"
        >
          {result.answer.slice(0, 400)}
        </button>
      )}
      <p className="flex flex-wrap gap-x-3 text-sm text-muted">
        {result.amount !== null && <Money amount={result.amount} currency={currency} />}
        {result.duration_ms !== null && <span>{formatCount(result.duration_ms)} ms</span>}
        {result.request_id !== null && (
          <TextLink href={paths.request(result.request_id)} aria-label={`Receipt: ${label}`}>
            Receipt
          </TextLink>
        )}
      </p>
    </div>
  );
}

/** Returns a result's outcome in a few words. For a refused call, they name the check. */
export function describeResult({ state, problem, checks }: PromptResult): { tone: Tone; label: string } {
  if (state === "refused") {
    const check = problem?.check ?? "";
    return {
      tone: "bad",
      label: unchecked.get(check) ?? `Refused: ${names.get(check) ?? check.replaceAll("_", " ")}`,
    };
  }
  if (state === "broken") return { tone: "bad", label: "Broke off" };
  if (state === "stopped") return { tone: "neutral", label: "Stopped" };
  const failed = checks.filter((fault) => fault !== null).length;
  if (failed > 0) {
    return {
      tone: "bad",
      label: checks.length === 1 ? "Check failed" : `${failed} of ${checks.length} checks failed`,
    };
  }
  if (checks.length === 0) return { tone: "good", label: "Answered" };
  return { tone: "good", label: checks.length === 1 ? "Check passed" : `${checks.length} checks passed` };
}

/** The outcomes that no check of the gateway decided. */
const unchecked: ReadonlyMap<string, string> = new Map([
  // The provider refused, or too many calls ran at once. The message says which.
  ["rate_limited", "Refused for now"],
  ["unreachable", "No answer"],
  ["failed", "The provider failed"],
]);

const names: ReadonlyMap<string, string> = new Map([
  ...Object.entries(limitLabels),
  ["missing_permission", "permission"],
  ["refused", "access"],
  ["circuit_open", "circuit breaker"],
  ["insufficient_balance", "balance"],
  ["invalid", "the request"],
  ["not_found", "the model"],
]);
