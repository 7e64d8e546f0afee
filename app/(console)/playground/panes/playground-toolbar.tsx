"use client";

import { Diff, PanelLeftOpen, Plus, RotateCw, SlidersHorizontal, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { isBlank } from "@/components/playground/conversations/saved-content";
import { findRepeatable, isPaneRunning } from "@/components/playground/panes/pane";
import { MAX_PANES, type Workbench } from "@/components/playground/workbench";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { ConversationMenu } from "../conversations/conversation-menu";
import type { AutosavedWorkbench } from "../conversations/use-autosave";
import type { RailState } from "../settings/use-rail";
import { findComparable } from "./answers-to-same";
import { ToolbarButton } from "./toolbar-button";

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
export function PlaygroundToolbar({
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
        {saved && <ConversationMenu saved={saved} isBlank={isBlank(workbench)} />}
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
