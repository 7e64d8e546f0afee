"use client";

import { Code } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { CallEstimate } from "./calls/call-estimate";
import { usePreview } from "./calls/use-preview";
import { Composer } from "./composer";
import { DiscardDialog } from "./conversations/discard-dialog";
import { SaveNotice } from "./conversations/save-notice";
import { SavePrompt } from "./conversations/save-prompt";
import { Divider } from "./panes/divider";
import { PaneRow } from "./panes/pane-row";
import { PaneTabs } from "./panes/pane-tabs";
import { PlaygroundToolbar } from "./panes/playground-toolbar";
import { PlaygroundFrame } from "./playground-frame";
import type { PlaygroundRights } from "./playground-rights";
import { PlaygroundSkeleton } from "./playground-skeleton";
import { Rail } from "./settings/rail";
import { RunAsChoice } from "./settings/run-as";
import type { Faults } from "./settings/settings";
import { MAX_WIDTH_PX } from "./settings/use-rail";
import { type PlaygroundOptions, usePlayground } from "./use-playground";

const CodeDialog = dynamic(() => import("./calls/code-dialog").then((file) => file.CodeDialog));
const RailCases = dynamic(() => import("./cases/rail-cases").then((file) => file.RailCases));
const DifferencesDialog = dynamic(() =>
  import("./panes/differences-dialog").then((file) => file.DifferencesDialog),
);

type PlaygroundProps = PlaygroundOptions & {
  rights: PlaygroundRights;
  /** The gateway's address for programs, ending in `/v1`. */
  baseUrl: string;
};

/** The workbench: settings at the side, a pane per model, and one message field for all panes. */
export function Playground({ rights, baseUrl, ...options }: PlaygroundProps) {
  const { workbench, store, saved, shownId, show, refused, rail, ...desk } = usePlayground(options);
  const [dialog, setDialog] = useState<"code" | "differences" | null>(null);
  const previews = usePreview(workbench, options.projectId, options.models, desk.composer.attachments);
  const close = () => setDialog(null);
  if (saved.isOpening) return <PlaygroundSkeleton />;
  return (
    <PlaygroundFrame
      state={rail}
      rail={
        <PlaygroundRail
          {...{ workbench, store, rights, options }}
          shownPane={desk.settingsOf}
          showPane={desk.showSettingsOf}
          faults={refused?.faults ?? {}}
          fold={rail.toggle}
        />
      }
      divider={
        <Divider
          label="Width of the settings"
          percent={(rail.widthPx / MAX_WIDTH_PX) * 100}
          moveBy={rail.resize}
        />
      }
    >
      <PlaygroundToolbar
        {...{ workbench, rail }}
        saved={options.storesConversations ? saved : null}
        compare={() => setDialog("differences")}
        startAnew={() => void desk.startAnew()}
        addPane={desk.addPane}
      />
      {options.storesConversations && <SaveNotice saved={saved} />}
      {desk.isDiscardAsked && (
        <DiscardDialog discard={() => void desk.startAnew(true)} close={desk.closeDiscard} />
      )}
      {workbench.panes.length > 1 && <PaneTabs panes={workbench.panes} shownId={shownId} show={show} />}
      <PaneRow
        {...{ workbench, store, rights, shownId }}
        models={options.models}
        modelMissingIn={refused?.faults.model ? refused.paneId : null}
        showSettings={desk.showSettingsOf}
      />
      <Composer
        {...desk.composer}
        paneCount={workbench.panes.length}
        actions={
          <ComposerActions
            {...{ workbench, store, rights, setDialog }}
            projectId={options.projectId}
            paneId={shownId}
          />
        }
      >
        {rights.seesCharges && <CallEstimate previews={previews} />}
        {refused && <FirstFault faults={refused.faults} />}
      </Composer>
      {dialog === "code" && (
        <CodeDialog {...{ workbench, baseUrl, close }} models={options.models} paneId={shownId} />
      )}
      {dialog === "differences" && <DifferencesDialog panes={workbench.panes} close={close} />}
    </PlaygroundFrame>
  );
}

type PlaygroundRailProps = Omit<ComponentProps<typeof Rail>, "runAs" | "cases" | "models"> & {
  rights: PlaygroundRights;
  options: Pick<PlaygroundOptions, "projectId" | "models">;
};

function PlaygroundRail({ rights, options: { projectId, models }, ...shown }: PlaygroundRailProps) {
  const { workbench, store } = shown;
  const { promptId } = workbench;
  return (
    <Rail
      {...shown}
      models={models}
      runAs={projectId && <RunAsChoice {...{ workbench, store, rights, projectId }} />}
      cases={
        rights.runsCases &&
        projectId &&
        promptId && <RailCases key={promptId} {...{ workbench, projectId, promptId, models }} />
      }
    />
  );
}

type ComposerActionsProps = Omit<ComponentProps<typeof SavePrompt>, "rights"> & {
  rights: PlaygroundRights;
  setDialog: (dialog: "code") => void;
};

function ComposerActions({ rights, setDialog, ...shown }: ComposerActionsProps) {
  return (
    <>
      <Button size="small" onClick={() => setDialog("code")}>
        <Code />
        Code
      </Button>
      {rights.savesPrompts && <SavePrompt {...shown} />}
    </>
  );
}

function FirstFault({ faults }: { faults: Faults }) {
  return (
    <span role="alert" className="text-danger">
      {Object.values(faults)[0]}
    </span>
  );
}
