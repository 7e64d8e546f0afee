"use client";

import { isPaneRunning, type Pane } from "@/components/playground/panes/pane";
import { classNames } from "@/components/ui/class-names";

type PaneTabsProps = { panes: readonly Pane[]; shownId: string; show: (id: string) => void };

/** Selects the pane shown on a phone. */
export function PaneTabs({ panes, shownId, show }: PaneTabsProps) {
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
