"use client";

import { Diff, PanelLeftOpen, Plus, SquarePen } from "lucide-react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { IconButton } from "@/components/ui/icon-button";
import { ConversationMenu } from "../conversations/conversation-menu";
import { isBlank } from "../conversations/kept-content";
import type { KeptBench } from "../conversations/use-kept-bench";
import type { RailState } from "../settings/use-rail";
import { BenchTool } from "./bench-tool";
import { answerOf, type Bench, MAX_PANES } from "./pane";

type BenchToolsProps = {
  bench: Bench;
  rail: RailState;
  /** Null if the gateway can't store conversations. */
  kept: KeptBench | null;
  compare: () => void;
  startAnew: () => void;
  addPane: () => void;
};

/** Actions on the whole workbench. */
export function BenchTools({ bench, rail, kept, compare, startAnew, addPane }: BenchToolsProps) {
  const canCompare = bench.panes.filter((pane) => answerOf(pane) !== "").length > 1;
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b px-2 pointer-coarse:h-13">
      <h1 className="px-1.5 text-lg font-semibold max-lg:sr-only">Playground</h1>
      <span className={classNames("max-lg:hidden", rail.isOpen && "lg:hidden")}>
        <IconButton label="Show the settings" icon={<PanelLeftOpen />} onClick={rail.toggle} />
      </span>
      <Button
        variant="ghost"
        className="lg:hidden"
        aria-expanded={rail.isOpenOnPhone}
        onClick={rail.toggleOnPhone}
      >
        Settings
      </Button>
      <div className="ml-auto flex items-center gap-1">
        {kept && <ConversationMenu kept={kept} isBlank={isBlank(bench)} />}
        {canCompare && <BenchTool icon={<Diff />} label="Differences" onClick={compare} />}
        <BenchTool icon={<SquarePen />} label="New conversation" onClick={startAnew} />
        <BenchTool
          icon={<Plus />}
          label="Add pane"
          disabled={bench.panes.length >= MAX_PANES}
          onClick={addPane}
        />
      </div>
    </div>
  );
}
