"use client";

import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { findFirstCallable, listCallableModels } from "@/components/models/list-callable-models";
import { MissingNotice } from "@/components/playground/variables/missing-notice";
import { findMissingValues } from "@/components/playground/variables/missing-values";
import { listCells } from "@/components/prompts/run-cells";
import { RunCost, RunProblems, RunUnderWay } from "@/components/prompts/run-parts";
import { useEstimate } from "@/components/prompts/use-estimate";
import { useNewRun } from "@/components/prompts/use-new-run";
import type { PromptRunning } from "@/components/prompts/use-run";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { countNouns } from "@/components/ui/values/group-digits";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { MAX_CELLS, MAX_MODELS, MAX_VERSIONS } from "@/lib/contract/operations/playground/prompt-runs";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/playground/prompts";
import { ChoiceSet } from "./choice-set";

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
  const [chosenModels, setModels] = useState<readonly string[]>([findFirstCallable(models)?.id ?? ""]);
  const { cases } = prompt;
  const [cells, missing] = useMemo(() => {
    const taken = versions.filter(({ number }) => chosenVersions.includes(String(number))).toReversed();
    return [listCells(cases, taken, chosenModels), findMissingValues(cases, taken)];
  }, [cases, versions, chosenVersions, chosenModels]);
  const isTooMany = cells.length > MAX_CELLS;
  const isRunning = running.progress !== null;
  const estimate = useEstimate(
    prompt.project_id,
    [prompt.id, prompt.version, chosenVersions, chosenModels],
    isTooMany || isRunning ? [] : cells,
  );
  const create = useNewRun(prompt, running, begun);
  const start = () => create.start(chosenVersions.map(Number), chosenModels, cells);
  return (
    <Section title="New run">
      <div className="grid gap-4">
        <RunChoices {...{ prompt, versions, models, chosenVersions, setVersions, chosenModels, setModels }} />
        <RunCost
          calls={`${countNouns(cases.length, "case")} × ${countNouns(chosenModels.length, "model")} × ${countNouns(chosenVersions.length, "version")} = ${countNouns(cells.length, "call")}.`}
          isTooMany={isTooMany}
          estimate={estimate.data ?? null}
          isPending={estimate.isFetching}
        />
        <MissingNotice missing={missing} caseCount={cases.length} />
        {create.refusal}
        {running.progress ? (
          <RunUnderWay running={running} progress={running.progress} pageName="this prompt" />
        ) : (
          <div>
            <Button
              variant="primary"
              pending={create.isPending}
              disabled={cells.length === 0 || isTooMany}
              onClick={start}
            >
              <Play aria-hidden />
              Run {countNouns(cells.length, "call")}
            </Button>
          </div>
        )}
        <RunProblems running={running} />
      </div>
    </Section>
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
        options={listCallableModels(models).map(({ id }) => ({ value: id, label: id, isMono: true }))}
        chosen={chosenModels}
        most={MAX_MODELS}
        change={setModels}
      />
    </div>
  );
}
