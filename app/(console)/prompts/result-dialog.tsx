"use client";

import { describeCheck } from "@/components/prompts/check-answer";
import { Dialog } from "@/components/ui/dialog/dialog";
import { Status } from "@/components/ui/status";
import { CopyButton } from "@/components/ui/text/copy-button";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";
import { describeResult } from "./result-cell";

type ResultDialogProps = { run: PromptRun; result: PromptResult; close: () => void };

/** Shows a whole answer and the result of each check. */
export function ResultDialog({ run, result, close }: ResultDialogProps) {
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
