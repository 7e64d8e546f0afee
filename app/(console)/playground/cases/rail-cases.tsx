"use client";

import { useId } from "react";
import { listCallableModels } from "@/components/models/list-callable-models";
import { listWorkbenchVariables } from "@/components/playground/variables/fill-workbench";
import type { Workbench } from "@/components/playground/workbench";
import { TextLink } from "@/components/ui/links/text-link";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { findCase } from "../variables/case-choice";
import { CaseChecks } from "./case-checks";
import { CasesRun } from "./cases-run";
import type { OpenPrompt } from "./use-open-prompt";

type RailCasesProps = {
  workbench: Workbench;
  open: OpenPrompt;
  models: readonly OrganizationModel[] | null;
};

/**
 * The checks of the case that is filled in, and the cases of the open prompt, which are run with the models of the
 * panes.
 */
export function RailCases({ workbench, open: { prompt, isEdited }, models }: RailCasesProps) {
  const id = useId();
  const toCases = paths.prompt(prompt.project_id, prompt.id, { tab: "cases" });
  const filled = findCase(workbench, prompt.cases, listWorkbenchVariables(workbench));
  return (
    <>
      {filled !== null && <CaseChecks checks={prompt.cases[filled]?.checks ?? []} panes={workbench.panes} />}
      <section aria-labelledby={id} className="grid gap-2 border-t pt-4">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id={id} className="text-sm font-medium">
            Cases
          </h2>
          <TextLink href={toCases} className="text-sm">
            {prompt.cases.length === 0 ? "Add cases" : countNouns(prompt.cases.length, "case")}
          </TextLink>
        </div>
        <p className="text-sm text-muted">
          <span className="wrap-anywhere">{prompt.name}</span>, version {prompt.latest_version}.{" "}
          {isEdited && "Your edits since then aren’t in it: save a version to run them."}
        </p>
        {prompt.cases.length > 0 && (
          <CasesRun
            key={prompt.id}
            prompt={prompt}
            runAs={workbench.runAs}
            models={listChatModels(workbench, models)}
          />
        )}
      </section>
    </>
  );
}

/** The models of the panes that answer cases, without duplicates. */
function listChatModels({ panes }: Workbench, models: readonly OrganizationModel[] | null): string[] {
  const callable = new Set(listCallableModels(models ?? []).map(({ id }) => id));
  return [...new Set(panes.map(({ model }) => model))].filter((model) => callable.has(model));
}
