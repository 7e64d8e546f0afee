"use client";

import { useState } from "react";
import { describeCheck } from "@/components/prompts/check-answer";
import { formatCellKey } from "@/components/prompts/run-cells";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Status } from "@/components/ui/status";
import { CopyButton } from "@/components/ui/text/copy-button";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";
import { describeResult, ResultCell } from "./result-cell";

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
