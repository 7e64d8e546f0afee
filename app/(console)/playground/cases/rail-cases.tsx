"use client";

import { useId } from "react";
import { useRead } from "@/app/queries/use-read";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { callableModels } from "../../callable-models";
import { promptReads } from "../../prompts/reads-of-prompts";
import { formatCount } from "../../prompts/run-parts";
import type { Workbench } from "../panes/pane";
import { CasesRun } from "./cases-run";
import { isEditedSince } from "./is-edited-since";

type RailCasesProps = {
  workbench: Workbench;
  projectId: string;
  /** The saved prompt that the workbench was opened from or saved as. */
  promptId: string;
  models: readonly OrganizationModel[] | null;
};

/** The cases of the open prompt, which are run with the models of the panes. Nothing if the prompt can't be read. */
export function RailCases({ workbench, projectId, promptId, models }: RailCasesProps) {
  const id = useId();
  const [[read, place]] = promptReads(projectId, promptId);
  const prompt = useRead(read, place).data;
  if (!prompt) return null;
  const toCases = paths.prompt(promptId, { tab: "cases" });
  return (
    <section aria-labelledby={id} className="grid gap-2 border-t pt-4">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-sm font-medium">
          Cases
        </h2>
        <TextLink href={toCases} className="text-sm">
          {prompt.cases.length === 0 ? "Add cases" : formatCount(prompt.cases.length, "case")}
        </TextLink>
      </div>
      <p className="text-sm text-muted">
        <span className="wrap-anywhere">{prompt.name}</span>, version {prompt.latest_version}.{" "}
        {isEditedSince(workbench, prompt) &&
          "Your edits since then aren’t in it: save a version to run them."}
      </p>
      {prompt.cases.length > 0 && (
        <CasesRun prompt={prompt} runAs={workbench.runAs} models={listChatModels(workbench, models)} />
      )}
    </section>
  );
}

/** The models of the panes that answer cases, without duplicates. */
function listChatModels({ panes }: Workbench, models: readonly OrganizationModel[] | null): string[] {
  const callable = new Set(callableModels(models ?? []).map(({ id }) => id));
  return [...new Set(panes.map(({ model }) => model))].filter((model) => callable.has(model));
}
