"use client";

import type { ComponentProps } from "react";
import { listWorkbenchVariables } from "@/components/playground/variables/fill-workbench";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import type { OpenPrompt } from "./cases/use-open-prompt";
import { SavePrompt } from "./conversations/save-prompt";
import type { PlaygroundRights } from "./playground-rights";
import { Rail } from "./settings/rail";
import { RunAsChoice } from "./settings/run-as";
import type { PlaygroundOptions } from "./use-playground";

const RailCases = loadOnClient(() => import("./cases/rail-cases").then((file) => file.RailCases));
const VariablesPanel = loadOnClient(() =>
  import("./variables/variables-panel").then((file) => file.VariablesPanel),
);

type PlaygroundRailProps = Omit<
  ComponentProps<typeof Rail>,
  "save" | "variables" | "runAs" | "cases" | "models"
> & {
  rights: PlaygroundRights;
  options: Pick<PlaygroundOptions, "projectId" | "models">;
  open: OpenPrompt | null;
  /** The pane whose call is saved as a prompt. */
  savedPane: string;
};

/** The settings with the parts that depend on the person's rights and on the open prompt. */
export function PlaygroundRail({ rights, options, open, savedPane, ...shown }: PlaygroundRailProps) {
  const { workbench, store } = shown;
  const { projectId, models } = options;
  const cases = open?.prompt.cases ?? [];
  return (
    <Rail
      {...shown}
      models={models}
      save={
        rights.savesPrompts && (
          <SavePrompt
            {...{ workbench, store, projectId }}
            paneId={savedPane}
            nextVersion={open && open.prompt.latest_version + 1}
          />
        )
      }
      variables={
        listWorkbenchVariables(workbench).length > 0 && <VariablesPanel {...{ workbench, store, cases }} />
      }
      runAs={projectId && <RunAsChoice {...{ workbench, store, rights, projectId }} />}
      cases={open && <RailCases key={open.prompt.id} {...{ workbench, open, models }} />}
    />
  );
}
