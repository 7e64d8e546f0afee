"use client";

import { Code, Diff, PanelLeftOpen, Plus, RotateCw, SlidersHorizontal, SquarePen } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { isBlank } from "@/components/playground/conversations/saved-content";
import { findRepeatable, isPaneRunning, type Pane } from "@/components/playground/panes/pane";
import { type Faults, parseWhole } from "@/components/playground/settings";
import { listWorkbenchVariables } from "@/components/playground/variables/fill-workbench";
import { findSettings, MAX_PANES, type Workbench } from "@/components/playground/workbench";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { IconButton } from "@/components/ui/icon-button";
import { TextLink } from "@/components/ui/links/text-link";
import { nowSeconds } from "@/components/ui/time/server-clock";
import { paths } from "@/lib/console/paths";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { type Nano, sumAmounts } from "@/lib/money/amount";
import { CallEstimate, computeExpectedCost, findCachedShare, findUsualAnswer } from "./calls/call-estimate";
import { type PanePreview, usePreview } from "./calls/use-preview";
import { type OpenPrompt, useOpenPrompt } from "./cases/use-open-prompt";
import { Composer } from "./composer";
import { ConversationMenu, SaveNotice, SavePrompt } from "./conversations/save-notice";
import type { AutosavedWorkbench } from "./conversations/use-autosave";
import { Divider, PaneRow } from "./panes/pane-row";
import { findComparable } from "./panes/refused-pane";
import { ToolbarButton } from "./panes/toolbar-button";
import type { PlaygroundRights } from "./playground-frame";
import { PlaygroundFrame } from "./playground-frame";
import { PlaygroundSkeleton } from "./playground-skeleton";
import { MAX_WIDTH_PX, Rail, type RailState } from "./settings/rail";
import { RunAsChoice } from "./settings/run-as";
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
  useRefusals();
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

/** Loads how a refusal is shown once the screen is, so that it is there when the network no longer is. */
function useRefusals(): void {
  useEffect(() => {
    import("./messages/refusal").catch(() => {});
  }, []);
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

/** Asks before a new conversation replaces one that couldn't be saved. */
function DiscardDialog({ discard, close }: { discard: () => void; close: () => void }) {
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={discard}
      title="Start a new conversation without saving this one?"
      confirmLabel="Discard and start new"
    >
      This conversation could not be saved. It is lost if you start a new one.
    </ConfirmDialog>
  );
}

/** The screen's title, or on a desk the open prompt with its version. */
function WorkbenchTitle({ open }: { open: OpenPrompt | null }) {
  if (!open)
    return <h1 className="min-w-0 flex-1 px-1.5 text-lg font-semibold max-lg:sr-only">Playground</h1>;
  const { prompt, isEdited } = open;
  return (
    <>
      <h1 className="sr-only">Playground</h1>
      <p className="flex min-w-0 flex-1 items-center gap-2 px-1.5 max-lg:hidden">
        <TextLink href={paths.prompt(prompt.project_id, prompt.id)} className="truncate font-medium">
          {prompt.name}
        </TextLink>
        <span className="shrink-0 rounded-sm border px-1.5 py-0.5 text-xs text-muted">
          v{prompt.latest_version}
          {isEdited && " · edited"}
        </span>
      </p>
    </>
  );
}

type PaneTabsProps = { panes: readonly Pane[]; shownId: string; show: (id: string) => void };

/** Selects the pane shown on a phone. */
function PaneTabs({ panes, shownId, show }: PaneTabsProps) {
  return (
    <nav aria-label="Panes" className="flex shrink-0 gap-1 overflow-x-auto border-b px-2 py-1 lg:hidden">
      {panes.map((pane, index) => (
        <button
          key={pane.id}
          type="button"
          aria-current={pane.id === shownId || undefined}
          onClick={() => show(pane.id)}
          className={classNames(
            "min-h-9 shrink-0 rounded-md px-3 font-mono text-sm pointer-coarse:min-h-11",
            pane.id === shownId ? "bg-default font-medium" : "text-muted",
          )}
        >
          {index + 1} {pane.model}
          {isPaneRunning(pane) && <span className="sr-only"> is answering</span>}
        </button>
      ))}
    </nav>
  );
}

const PAST_DAYS = 30;

/** Returns what Send is expected to cost in all panes; null while it is unknown for one of them. */
function useExpectedCost(
  workbench: Workbench,
  models: readonly OrganizationModel[] | null,
  previews: readonly PanePreview[],
): Nano | null {
  const [start] = useState(() => Math.floor(nowSeconds() / HOUR_S) * HOUR_S - PAST_DAYS * DAY_S);
  const query = { start_time: String(start), bucket_width: "range", group_by: "model", latencies: "none" };
  const usage = useRead("retrieveOwnUsageSummary", query, { enabled: previews.length > 0 });
  if (previews.length === 0 || usage.isPending) return null;
  const groups = usage.data?.groups ?? [];
  const costs = previews.map(({ paneId, model, preview }) => {
    const length = findUsualAnswer(workbench, model, groups);
    const found = models?.find(({ id }) => id === model);
    if (!preview || length === null) return null;
    const pane = workbench.panes.find(({ id }) => id === paneId);
    return computeExpectedCost(found, {
      promptTokens: preview.prompt_tokens,
      completionTokens: length,
      maxTokens: pane ? parseWhole(findSettings(workbench, pane).max_tokens) : null,
      cachedShare: findCachedShare(model, groups),
    });
  });
  return costs.includes(null) ? null : sumAmounts(costs as Nano[]);
}

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
function PlaygroundRail({ rights, options, open, savedPane, ...shown }: PlaygroundRailProps) {
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

type PlaygroundToolbarProps = {
  workbench: Workbench;
  rail: RailState;
  title: ReactNode;
  /** Null if the gateway can't store conversations. */
  saved: AutosavedWorkbench | null;
  compare: () => void;
  /** Asks every pane again for its last answer. */
  runAllAgain: () => void;
  startAnew: () => void;
  addPane: () => void;
};

/** Actions on the whole workbench. */
function PlaygroundToolbar({
  workbench,
  rail,
  title,
  saved,
  compare,
  runAllAgain,
  startAnew,
  addPane,
}: PlaygroundToolbarProps) {
  const canCompare = findComparable(workbench) !== null;
  const canRepeat =
    workbench.panes.some((pane) => findRepeatable(pane)) && !workbench.panes.some(isPaneRunning);
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b px-2 pointer-coarse:h-13">
      <span className={classNames("max-lg:hidden", rail.isOpen && "lg:hidden")}>
        <IconButton label="Show the settings" icon={<PanelLeftOpen />} onClick={rail.toggle} />
      </span>
      <Button
        variant="ghost"
        className="lg:hidden"
        aria-expanded={rail.isOpenOnPhone}
        onClick={rail.toggleOnPhone}
      >
        <SlidersHorizontal aria-hidden className="sm:hidden" />
        <span className="max-sm:sr-only">Settings</span>
      </Button>
      {title}
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {saved && <ConversationMenu saved={saved} isUnwritten={isBlank(workbench)} />}
        {canRepeat && (
          <ToolbarButton icon={<RotateCw />} label="Run all again" isSecondary onClick={runAllAgain} />
        )}
        {canCompare && <ToolbarButton icon={<Diff />} label="Differences" isSecondary onClick={compare} />}
        <ToolbarButton icon={<SquarePen />} label="New conversation" onClick={startAnew} />
        <ToolbarButton
          icon={<Plus />}
          label="Add pane"
          disabled={workbench.panes.length >= MAX_PANES}
          onClick={addPane}
        />
      </div>
    </div>
  );
}
