"use client";

import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { findMissingValues, MissingNotice } from "@/components/playground/variables/missing-values";
import type { RunAs } from "@/components/playground/workbench";
import { promptPageReads, runRead } from "@/components/prompts/prompt-reads";
import { listCells } from "@/components/prompts/run-cells";
import { RunCost, RunProblems, RunUnderWay } from "@/components/prompts/run-parts";
import { mergeResults, summarize } from "@/components/prompts/summarize-run";
import { useEstimate } from "@/components/prompts/use-estimate";
import { listHeldResults, type PromptRunning, useNewRun, useRun } from "@/components/prompts/use-run";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/links/link-button";
import { countNouns } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { MAX_CELLS } from "@/lib/contract/bounds";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";

type CasesPrompt = Pick<Prompt, "id" | "project_id" | "version" | "latest_version" | "cases" | "content">;

type CasesRunProps = {
  prompt: CasesPrompt;
  /** The models of the panes that can run cases. */
  models: readonly string[];
  runAs: RunAs | undefined;
};

/** Runs all cases of a prompt's newest version: the cost before, the progress, then how many passed. */
export function CasesRun({ prompt, models, runAs }: CasesRunProps) {
  const { id, project_id: projectId, cases, content, latest_version: number } = prompt;
  const running = useRun({ projectId, promptId: id });
  const [startedId, setStartedId] = useState<string | null>(null);
  const create = useNewRun(prompt, running, setStartedId);
  const modelNames = JSON.stringify(models);
  const [cells, missing] = useMemo(() => {
    const versions = [{ number, content }];
    return [listCells(cases, versions, JSON.parse(modelNames)), findMissingValues(cases, versions)];
  }, [cases, number, content, modelNames]);
  const isTooMany = cells.length > MAX_CELLS;
  const isIdle = running.progress === null;
  const estimate = useEstimate(
    projectId,
    [id, prompt.version, number, modelNames],
    isTooMany || !isIdle ? [] : cells,
  );
  if (models.length === 0 && isIdle)
    return <p className="text-sm text-muted">Cases are run with chat models. No pane has one.</p>;
  return (
    <div className="grid gap-3">
      {isIdle && (
        <>
          <RunCost
            calls={`${countNouns(cases.length, "case")} × ${countNouns(models.length, "model")} = ${countNouns(cells.length, "call")}.`}
            isTooMany={isTooMany}
            estimate={estimate.data ?? null}
            isPending={estimate.isFetching}
          />
          <MissingNotice missing={missing} caseCount={cases.length} />
          {runAs && (
            <p className="text-sm text-muted">
              Cases run as you, not as <span className="wrap-anywhere">{runAs.name}</span>.
            </p>
          )}
        </>
      )}
      {create.refusal}
      {running.progress ? (
        <RunUnderWay running={running} progress={running.progress} pageName="this conversation" />
      ) : (
        <Button
          size="small"
          className="justify-self-start"
          pending={create.isPending}
          disabled={isTooMany}
          onClick={() => create.start([number], models, cells)}
        >
          <Play aria-hidden />
          Run {countNouns(cases.length, "case")}
        </Button>
      )}
      <RunProblems running={running} />
      <LastRun {...{ prompt, running, startedId }} />
    </div>
  );
}

type LastRunProps = { prompt: CasesPrompt; running: PromptRunning; startedId: string | null };

/** How many cases passed with each model in the run under way or in the last one, and the way to its answers. */
function LastRun({ prompt, running, startedId }: LastRunProps) {
  const { id, project_id: projectId } = prompt;
  const latest = useRead(...promptPageReads(projectId, id).runs).data?.data[0];
  const runId = startedId ?? latest?.id ?? null;
  const run = useRead(...runRead(projectId, id, runId ?? ""), { enabled: runId !== null }).data;
  if (!run) return null;
  const { progress } = running;
  const results = mergeResults(run.results, listHeldResults(running, run.id));
  return (
    <div className="grid gap-2">
      <table className="w-full text-sm">
        <caption className="pb-1 text-left text-muted">
          {progress ? "Passed so far" : startedId ? "Passed" : "Passed in the last run"}
        </caption>
        <tbody>
          {summarize(run, results).map(({ version, model, passed, calls, amount }) => (
            <tr key={`${version} ${model}`}>
              <th scope="row" className="py-0.5 pr-2 text-left font-mono text-sm font-normal wrap-anywhere">
                {model}
                {run.versions.length > 1 && <span className="font-sans text-muted"> v{version}</span>}
              </th>
              <td className="py-0.5 pr-2 text-right whitespace-nowrap">
                {passed} of {calls}
              </td>
              <td className="py-0.5 text-right whitespace-nowrap text-muted">
                <Money amount={amount} currency={run.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {progress === null && (
        <LinkButton
          size="small"
          className="justify-self-start"
          href={paths.prompt(projectId, id, { tab: "runs", run: run.id })}
        >
          Compare answers
        </LinkButton>
      )}
    </div>
  );
}
