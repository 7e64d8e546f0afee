"use client";

import { BookText, ListChecks, Play } from "lucide-react";
import { useMemo, useState } from "react";
import { findFirstCallable, listCallableModels } from "@/components/models/list-models";
import { findMissingValues, MissingNotice } from "@/components/playground/variables/missing-values";
import { promptPageReads } from "@/components/prompts/prompt-reads";
import { listCells } from "@/components/prompts/run-cells";
import { RunCost, RunProblems, RunUnderWay } from "@/components/prompts/run-parts";
import { useEstimate } from "@/components/prompts/use-estimate";
import { type PromptRunning, useNewRun, useRun } from "@/components/prompts/use-run";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { changeAddress } from "@/components/ui/filters/use-address-filter";
import { LinkButton } from "@/components/ui/links/link-button";
import { TabLinks } from "@/components/ui/links/tab-links";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { PageHeadSkeleton, Skeleton, TableSkeleton } from "@/components/ui/states/skeleton";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { MAX_CELLS, MAX_MODELS, MAX_VERSIONS } from "@/lib/contract/bounds";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/playground/prompts";
import { CasesForm } from "./cases/cases-form";
import { PromptActions } from "./prompt-actions";
import { RunView } from "./run-view";
import { VersionsTab } from "./versions-tab";

type PromptScreenProps = {
  projectId: string;
  promptId: string;
  tab: "prompt" | "cases" | "runs";
  /** The run from the address; null if it names none. */
  runId: string | null;
  canWrite: boolean;
  /** True if the person may send prompts to models. */
  canRun: boolean;
};

/** A prompt with its versions, cases and runs. */
export function PromptScreen(props: PromptScreenProps) {
  const { projectId, promptId, tab, canWrite } = props;
  const found = useRead(...promptPageReads(projectId, promptId).prompt);
  // Kept here and not in the tab, so that a run continues while another tab is open.
  const running = useRun({ projectId, promptId });
  return (
    <ObjectState
      read={found}
      object={found.data}
      to="show the prompt"
      skeleton={
        <Page>
          <PageHeadSkeleton />
          <TableSkeleton rows={6} columns={3} />
        </Page>
      }
      unknown={
        <Page>
          <EmptyState
            level={1}
            icon={BookText}
            title="There is no such prompt in this project"
            action={<LinkButton href={paths.prompts(projectId)}>View all prompts</LinkButton>}
          >
            It was deleted, is private, or belongs to another project.
          </EmptyState>
        </Page>
      }
    >
      {(prompt) => (
        <Page>
          <PageCrumb label={prompt.name} />
          <PageHead
            title={prompt.name}
            sentence={writeSubtitle(prompt)}
            action={<PromptActions prompt={prompt} canWrite={canWrite} />}
          />
          <StaleNotice read={found} />
          <TabLinks
            label="Parts of the prompt"
            current={tab}
            tabs={[
              { id: "prompt", label: "Versions", href: paths.prompt(projectId, promptId) },
              {
                id: "cases",
                label: `Cases · ${prompt.cases.length}`,
                href: paths.prompt(projectId, promptId, { tab: "cases" }),
              },
              { id: "runs", label: "Runs", href: paths.prompt(projectId, promptId, { tab: "runs" }) },
            ]}
          />
          {tab === "prompt" && <VersionsTab prompt={prompt} />}
          {tab === "cases" && <CasesForm prompt={prompt} canWrite={canWrite} />}
          {tab === "runs" && <RunsTab {...props} prompt={prompt} running={running} />}
        </Page>
      )}
    </ObjectState>
  );
}

function writeSubtitle({ is_shared, is_own, owner, latest_version }: Prompt): string {
  const versions = latest_version === 1 ? "One version" : `${latest_version} versions`;
  if (!is_shared) return `${versions}. Only you can read it.`;
  return `${versions}. Shared with the project by ${is_own ? "you" : owner.name}.`;
}

type RunsTabProps = {
  prompt: Prompt;
  /** The run from the address; null if it names none. */
  runId: string | null;
  canRun: boolean;
  canWrite: boolean;
  running: PromptRunning;
};

/** Starts a run of all cases and shows the results of recent runs. */
function RunsTab({ prompt, runId, canRun, canWrite, running }: RunsTabProps) {
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

type NewRunProps = {
  prompt: Prompt;
  versions: readonly PromptVersion[];
  models: readonly OrganizationModel[];
  running: PromptRunning;
  /** Receives the id of the started run. */
  begun: (runId: string) => void;
};

/** Selects versions and models for a run, estimates its cost, starts it and shows its progress. */
function NewRun({ prompt, versions, models, running, begun }: NewRunProps) {
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

type ChoiceSetProps = {
  legend: string;
  options: readonly { value: string; label: string; isMono?: boolean }[];
  chosen: readonly string[];
  /** Maximum number of selected options. */
  most: number;
  change: (chosen: readonly string[]) => void;
};

/** Checkboxes for selecting a few of some options. */
export function ChoiceSet({ legend, options, chosen, most, change }: ChoiceSetProps) {
  const [chosenFirst] = useState(chosen);
  const isFirst = ({ value }: { value: string }) => chosenFirst.includes(value);
  // The options that are chosen when it opens come first, since a long list would hide them.
  const shown = [...options.filter(isFirst), ...options.filter((option) => !isFirst(option))];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-2 text-sm">
        <span className="font-medium">{legend}</span>
        <span className="text-muted">at most {most}</span>
      </legend>
      <ul className="max-h-48 overflow-y-auto rounded-md border bg-surface py-1">
        {shown.map(({ value, label, isMono = false }) => {
          const isChosen = chosen.includes(value);
          return (
            <li key={value}>
              <label className="flex min-h-8 cursor-pointer items-center gap-2.5 px-3 hover:bg-default-soft has-disabled:cursor-default has-disabled:text-muted pointer-coarse:min-h-11">
                <Checkbox
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= most}
                  onChange={() =>
                    change(isChosen ? chosen.filter((one) => one !== value) : [...chosen, value])
                  }
                />
                <span className={isMono ? "min-w-0 font-mono text-sm wrap-anywhere" : "min-w-0"}>
                  {label}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
