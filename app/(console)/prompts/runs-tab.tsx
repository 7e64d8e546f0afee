"use client";

import { ListChecks } from "lucide-react";
import { useState } from "react";
import { promptPageReads } from "@/components/prompts/prompt-reads";
import type { PromptRunning } from "@/components/prompts/use-run";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { changeAddress } from "@/components/ui/filters/change-address";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { EmptyState } from "@/components/ui/states/empty-state";
import { Skeleton } from "@/components/ui/states/skeleton";
import { paths } from "@/lib/console/paths";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { NewRun } from "./new-run";
import { RunView } from "./run-view";

type RunsTabProps = {
  prompt: Prompt;
  /** The run from the address; null if it names none. */
  runId: string | null;
  canRun: boolean;
  canWrite: boolean;
  running: PromptRunning;
};

/** Starts a run of all cases and shows the results of recent runs. */
export function RunsTab({ prompt, runId, canRun, canWrite, running }: RunsTabProps) {
  const reads = promptPageReads(prompt.project_id, prompt.id);
  const versions = useRead(...reads.versions);
  const models = useRead(...reads.models);
  const runs = useRead(...reads.runs);
  const [chosen, setChosen] = useState(runId);
  const show = (id: string) => {
    setChosen(id);
    changeAddress({ run: id });
  };
  const shownId = running.progress?.runId ?? chosen ?? runs.data?.data[0]?.id ?? null;
  if (prompt.cases.length === 0 && runs.data?.data.length === 0) {
    return (
      <EmptyState
        icon={ListChecks}
        title="No case to run"
        action={
          canWrite && (
            <LinkButton variant="primary" href={paths.prompt(prompt.project_id, prompt.id, { tab: "cases" })}>
              Add a case
            </LinkButton>
          )
        }
      >
        A run sends every case to every model that you choose, and checks the answers.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-8">
      {!canRun && (
        <Notice tone="neutral">
          You need the permission <code className="font-mono">api.playground.write</code> to run this prompt.
        </Notice>
      )}
      {canRun && prompt.cases.length > 0 && (
        <ReadState read={versions} to="see the versions of a prompt" skeleton={<Skeleton className="h-40" />}>
          {({ data: listedVersions }) => (
            <ReadState read={models} to="see the models" skeleton={<Skeleton className="h-40" />}>
              {({ data: listedModels }) => (
                <NewRun
                  prompt={prompt}
                  versions={listedVersions}
                  models={listedModels}
                  running={running}
                  begun={show}
                />
              )}
            </ReadState>
          )}
        </ReadState>
      )}
      {shownId !== null && (
        <RunView
          prompt={prompt}
          runId={shownId}
          runs={runs.data?.data ?? []}
          versions={versions.data?.data ?? []}
          running={running}
          canRun={canRun}
          show={show}
        />
      )}
    </div>
  );
}
