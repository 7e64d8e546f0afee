"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Menu } from "@/components/ui/menu/menu";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import type { BulkQuestion } from "./bulk-dialog";
import { useGrid } from "./grid-context";
import type { LimitPair } from "./limit-pair";
import { type Block, planSet } from "./plan-edits";
import type { Follower } from "./use-follow-plan";

const BulkDialog = loadOnClient(() => import("./bulk-dialog").then((file) => file.BulkDialog));

type BulkMenuProps = {
  /** What the menu is about: "Selection", "Support bot". */
  label: string;
  trigger: ReactNode;
  tabIndex?: number;
  /** Read when an entry is chosen, so that the menu follows no cursor. */
  read: () => Block;
};

/** What can be done to many cells at once: those that are selected, or all of a group. */
export function BulkMenu({ label, trigger, tabIndex, read }: BulkMenuProps) {
  const grid = useGrid();
  const [asked, setAsked] = useState<BulkQuestion | null>(null);
  const ask = (kind: BulkQuestion["kind"]) => () => setAsked({ kind, block: read() });
  const edits: MenuEntry[] = [
    { id: "set", label: "Set to…", onSelect: ask("set") },
    { id: "multiply", label: "Multiply…", onSelect: ask("multiply") },
    { id: "project", label: "Copy from a project or plan…", onSelect: ask("project") },
    { id: "model", label: "Copy from a model…", onSelect: ask("model") },
    {
      id: "default",
      label: "Back to the plan or default",
      onSelect: () => grid.make(planSet(grid.draft, read(), "default"), "Set back"),
    },
  ];
  const followers = () => listFollowers(read().pairs);
  const sections = [
    { entries: edits },
    ...(grid.listPlanEntries ? [{ heading: "Follow", entries: grid.listPlanEntries(followers()) }] : []),
  ];
  return (
    <>
      <Menu
        label={`Change many: ${label}`}
        trigger={trigger}
        triggerClassName="limit-bulk"
        {...(tabIndex !== undefined && { tabIndex })}
        sections={sections}
      />
      {asked && <BulkDialog asked={asked} close={() => setAsked(null)} />}
    </>
  );
}

/** The menu of the selection. */
export function SelectionMenu({ count, read }: { count: string; read: () => Block }) {
  return (
    <BulkMenu
      label="the selection"
      read={read}
      trigger={
        <>
          {count} <ChevronDown aria-hidden className="size-3.5" />
        </>
      }
    />
  );
}

function listFollowers(pairs: readonly LimitPair[]): Follower[] {
  const byId = new Map<string, Follower>();
  for (const { kind, projectId: id, projectName: name, plan } of pairs)
    if (kind === "project") byId.set(id, { id, name, planId: plan?.id ?? null });
  return [...byId.values()];
}
