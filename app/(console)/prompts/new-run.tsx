"use client";

import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { useCreate } from "@/app/queries/use-create";
import { Button } from "@/components/ui/button";
import { groupDigits } from "@/components/ui/group-digits";
import { Money } from "@/components/ui/money";
import { Notice } from "@/components/ui/notice";
import { Progress } from "@/components/ui/progress";
import { Section } from "@/components/ui/section";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { MAX_CELLS, MAX_MODELS, MAX_VERSIONS } from "@/lib/contract/operations/prompt-runs";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/prompts";
import { callableModels, firstCallable } from "../callable-models";
import { createPromptRun } from "./actions";
import { ChoiceSet } from "./choice-set";
import { cellsOf } from "./run-cells";
import { type Estimate, useEstimate } from "./use-estimate";
import type { PromptRunning, RunProgress } from "./use-run";

type NewRunProps = {
  prompt: Prompt;
  versions: readonly PromptVersion[];
  models: readonly OrganizationModel[];
  running: PromptRunning;
  /** Receives the id of the started run. */
  begun: (runId: string) => void;
};

/** Selects versions and models for a run, estimates its cost, starts it and shows its progress. */
export function NewRun({ prompt, versions, models, running, begun }: NewRunProps) {
  const [chosenVersions, setVersions] = useState<readonly string[]>([String(prompt.latest_version)]);
  const [chosenModels, setModels] = useState<readonly string[]>([firstCallable(models)?.id ?? ""]);
  const { cases } = prompt;
  const cells = useMemo(() => {
    const taken = versions.filter(({ number }) => chosenVersions.includes(String(number)));
    return cellsOf(cases, taken.toReversed(), chosenModels);
  }, [cases, versions, chosenVersions, chosenModels]);
  const isTooMany = cells.length > MAX_CELLS;
  const isRunning = running.progress !== null;
  const estimate = useEstimate(
    prompt.project_id,
    [prompt.id, prompt.version, chosenVersions, chosenModels],
    isTooMany || isRunning ? [] : cells,
  );
  const create = useCreate(createPromptRun, {
    changes: ["listPromptRuns"],
    onSuccess: (run) => {
      begun(run.id);
      void running.start(run.id, cells);
    },
  });
  const start = () =>
    create.mutate({
      projectId: prompt.project_id,
      promptId: prompt.id,
      versions: chosenVersions.map(Number).toSorted((one, other) => one - other),
      models: [...chosenModels],
    });
  return (
    <Section title="New run">
      <div className="grid gap-4">
        <RunChoices {...{ prompt, versions, models, chosenVersions, setVersions, chosenModels, setModels }} />
        <RunCost
          calls={`${count(cases.length, "case")} × ${count(chosenModels.length, "model")} × ${count(chosenVersions.length, "version")} = ${count(cells.length, "call")}.`}
          isTooMany={isTooMany}
          estimate={estimate.data ?? null}
          isPending={estimate.isFetching}
        />
        {create.error && (
          <Notice tone="bad" role="alert" title="The run could not be started">
            {create.error.problem.message}
          </Notice>
        )}
        {running.progress ? (
          <RunUnderWay progress={running.progress} stop={running.stop} />
        ) : (
          <div>
            <Button
              variant="primary"
              pending={create.isPending}
              disabled={cells.length === 0 || isTooMany}
              onClick={start}
            >
              <Play aria-hidden />
              Run {count(cells.length, "call")}
            </Button>
          </div>
        )}
        <RunProblems running={running} />
      </div>
    </Section>
  );
}

/** What of a run could not be saved or read. */
function RunProblems({ running: { unsaved, uncharged } }: { running: PromptRunning }) {
  return (
    <>
      {unsaved !== null && (
        <Notice tone="bad" role="alert" title="Some results could not be saved">
          {unsaved}
        </Notice>
      )}
      {uncharged !== null && (
        <Notice tone="near" role="alert" title="Some costs could not be read">
          {uncharged}
        </Notice>
      )}
    </>
  );
}

type RunChoicesProps = Pick<NewRunProps, "prompt" | "versions" | "models"> & {
  chosenVersions: readonly string[];
  setVersions: (chosen: readonly string[]) => void;
  chosenModels: readonly string[];
  setModels: (chosen: readonly string[]) => void;
};

function RunChoices(props: RunChoicesProps) {
  const { prompt, versions, models, chosenVersions, setVersions, chosenModels, setModels } = props;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceSet
        legend="Versions"
        options={versions.map(({ number }) => ({
          value: String(number),
          label: `Version ${number}${number === prompt.latest_version ? " (newest)" : ""}`,
        }))}
        chosen={chosenVersions}
        most={MAX_VERSIONS}
        change={setVersions}
      />
      <ChoiceSet
        legend="Models"
        options={callableModels(models).map(({ id }) => ({ value: id, label: id, isMono: true }))}
        chosen={chosenModels}
        most={MAX_MODELS}
        change={setModels}
      />
    </div>
  );
}

type RunCostProps = { calls: string; isTooMany: boolean; estimate: Estimate | null; isPending: boolean };

function RunCost({ calls, isTooMany, estimate, isPending }: RunCostProps) {
  return (
    <>
      <p className="text-sm text-muted" role="status">
        {calls} {isTooMany && `A run has at most ${MAX_CELLS}: choose fewer models or versions.`}
        {estimate && (
          <>
            Expected cost <Money amount={estimate.expected} currency={estimate.currency} approximate />, at
            most <Money amount={estimate.most} currency={estimate.currency} />.
          </>
        )}
        {isPending && !estimate && "Estimating the cost…"}
      </p>
      {estimate?.refused && (
        <Notice tone="near" title={`${count(estimate.refused.count, "call")} would be refused now`}>
          {estimate.refused.reason}
        </Notice>
      )}
    </>
  );
}

function RunUnderWay({ progress, stop }: { progress: RunProgress; stop: () => void }) {
  return (
    <div className="grid max-w-md gap-2">
      <Progress label="Running" done={progress.done} total={progress.total} unit="calls" />
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={stop}>Stop</Button>
        <span className="text-sm text-muted">
          Leaving this prompt stops the run. Results so far are saved.
        </span>
      </div>
    </div>
  );
}

function count(value: number, noun: string): string {
  return `${groupDigits(String(value))} ${noun}${value === 1 ? "" : "s"}`;
}
