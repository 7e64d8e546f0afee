"use client";

import { Code } from "lucide-react";
import { useEffect, useState } from "react";
import type { Faults } from "@/components/playground/settings";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { CallEstimate } from "./calls/call-estimate";
import { useExpectedCost } from "./calls/use-expected-cost";
import { usePreview } from "./calls/use-preview";
import { useOpenPrompt } from "./cases/use-open-prompt";
import { Composer } from "./composer";
import { DiscardDialog } from "./conversations/discard-dialog";
import { SaveNotice } from "./conversations/save-notice";
import { findComparable } from "./panes/answers-to-same";
import { Divider } from "./panes/divider";
import { PaneRow } from "./panes/pane-row";
import { PaneTabs } from "./panes/pane-tabs";
import { PlaygroundToolbar } from "./panes/playground-toolbar";
import { WorkbenchTitle } from "./panes/workbench-title";
import { PlaygroundFrame } from "./playground-frame";
import { PlaygroundRail } from "./playground-rail";
import type { PlaygroundRights } from "./playground-rights";
import { PlaygroundSkeleton } from "./playground-skeleton";
import { MAX_WIDTH_PX } from "./settings/use-rail";
import { type PlaygroundOptions, usePlayground } from "./use-playground";

const CodeDialog = loadOnClient(() => import("./calls/code-dialog").then((file) => file.CodeDialog));
const UnfilledDialog = loadOnClient(() =>
  import("./variables/unfilled-dialog").then((file) => file.UnfilledDialog),
);
const DifferencesDialog = loadOnClient(() =>
  import("./panes/differences-dialog").then((file) => file.DifferencesDialog),
);

type PlaygroundProps = PlaygroundOptions & {
  rights: PlaygroundRights;
  /** The name of the project that calls count for; null if it is unknown. */
  projectName: string | null;
  /** The gateway's address for programs, ending in `/v1`. */
  baseUrl: string;
};

/** The workbench: settings at the side, a pane per model, and one message field for all panes. */
export function Playground({ rights, projectName, baseUrl, ...options }: PlaygroundProps) {
  const { workbench, store, saved, shownId, show, refused, rail, ...desk } = usePlayground(options);
  const [dialog, setDialog] = useState<"code" | "differences" | null>(null);
  const { models } = options;
  const { attachments } = desk.composer.message;
  const previews = usePreview(workbench, options.projectId, models, attachments);
  const open = useOpenPrompt(workbench, options.projectId, { canRead: rights.runsCases });
  const close = () => setDialog(null);
  const expectedCost = useExpectedCost(workbench, models, previews);
  const comparable = findComparable(workbench);
  useMarkdown(workbench.draft !== "");
  if (saved.isOpening) return <PlaygroundSkeleton />;
  return (
    <PlaygroundFrame
      state={rail}
      rail={
        <PlaygroundRail
          {...{ workbench, store, rights, options, open }}
          savedPane={shownId}
          shownPane={desk.settingsPaneId}
          showPane={desk.showPaneSettings}
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
        title={<WorkbenchTitle open={open} />}
        saved={options.storesConversations ? saved : null}
        compare={() => setDialog("differences")}
        runAllAgain={() => void store.runAllAgain()}
        startAnew={() => desk.startAnew()}
        addPane={desk.addPane}
      />
      {options.storesConversations && <SaveNotice saved={saved} />}
      {desk.isDiscardAsked && (
        <DiscardDialog discard={() => desk.startAnew({ discards: true })} close={desk.closeDiscard} />
      )}
      {workbench.panes.length > 1 && <PaneTabs panes={workbench.panes} shownId={shownId} show={show} />}
      <PaneRow
        {...{ workbench, store, rights, shownId }}
        models={models}
        modelMissingIn={refused?.faults.model ? refused.paneId : null}
        showSettings={desk.showPaneSettings}
      />
      <Composer {...desk.composer} actions={<CodeButton open={() => setDialog("code")} />}>
        {rights.seesCharges && (
          <CallEstimate {...{ previews, expectedCost, projectName }} seesBalance={rights.seesBalance} />
        )}
        {refused && <FirstFault faults={refused.faults} />}
      </Composer>
      {dialog === "code" && (
        <CodeDialog {...{ workbench, baseUrl, close, models, attachments }} paneId={shownId} />
      )}
      {dialog === "differences" && comparable && <DifferencesDialog {...comparable} close={close} />}
      {desk.unfilled && <UnfilledDialog {...desk.unfilled} showFields={rail.unfold} />}
    </PlaygroundFrame>
  );
}

/** Loads it before the answer, which would otherwise be shown as plain text first. */
function useMarkdown(isWritten: boolean): void {
  useEffect(() => {
    if (isWritten) void import("./markdown/answer-markdown");
  }, [isWritten]);
}

function CodeButton({ open }: { open: () => void }) {
  return (
    <Button onClick={open}>
      <Code />
      Code
    </Button>
  );
}

/** Why the message can't be sent. A fault in the settings leads to its field. */
function FirstFault({ faults }: { faults: Faults }) {
  const [[name = "", fault] = []] = Object.entries(faults);
  return (
    <span role="alert" className="flex flex-wrap items-center gap-x-2 text-danger">
      {fault}
      {name !== "message" && (
        <Button size="small" variant="ghost" onClick={focusFaultyField}>
          Show the field
        </Button>
      )}
    </span>
  );
}

function focusFaultyField(): void {
  const field = document.querySelector<HTMLElement>("#main [aria-invalid=true]");
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}
