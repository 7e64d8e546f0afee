"use client";

import { useState } from "react";
import { formatCellKey } from "@/components/prompts/run-cells";
import type { PromptResult, PromptRun } from "@/lib/contract/operations/playground/prompt-runs";
import { ResultCell } from "./result-cell";
import { ResultDialog } from "./result-dialog";

type ResultTableProps = { run: PromptRun; results: readonly PromptResult[]; isRunning: boolean };

/** A row for each case and model, with the answers of all versions side by side. */
export function ResultTable({ run, results, isRunning }: ResultTableProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const found = new Map(results.map((one) => [formatCellKey(one.prompt_version, one.case, one.model), one]));
  const shown = opened === null ? undefined : found.get(opened);
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full min-w-[40rem] border-collapse text-left">
        <caption className="sr-only">Answers, case by case</caption>
        <thead className="border-b text-sm text-muted">
          <tr>
            <th scope="col" className="w-56 px-3 py-2 font-normal">
              Case and model
            </th>
            {run.versions.map((version) => (
              <th key={version} scope="col" className="px-3 py-2 font-normal">
                Version {version}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.cases.flatMap(({ variables }, caseIndex) =>
            run.models.map((model) => (
              <tr key={`${caseIndex} ${model}`} className="border-b align-top last:border-b-0">
                <th scope="row" className="px-3 py-2.5 font-normal">
                  <span className="block font-medium">Case {caseIndex + 1}</span>
                  <code className="block font-mono text-sm wrap-anywhere text-muted">{model}</code>
                  <span className="line-clamp-2 text-sm wrap-anywhere text-muted">
                    {Object.entries(variables)
                      .map(([name, value]) => `${name}: ${value}`)
                      .join(", ")}
                  </span>
                </th>
                {run.versions.map((version) => {
                  const key = formatCellKey(version, caseIndex, model);
                  return (
                    <td key={version} className="px-3 py-2.5">
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
            )),
          )}
        </tbody>
      </table>
      {shown && <ResultDialog run={run} result={shown} close={() => setOpened(null)} />}
    </div>
  );
}
