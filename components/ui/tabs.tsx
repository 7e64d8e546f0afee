"use client";

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { classNames } from "./class-names";

type Tab = { id: string; label: string; content: ReactNode };

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs after the ARIA pattern: arrows, Home and End select a tab, and all tabs are one tab stop. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosenTab, setChosen] = useState(tabs[0]?.id);

  function move(event: KeyboardEvent) {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const index = step(
      tabs.findIndex((tab) => tab.id === chosenTab),
      tabs.length,
    );
    setChosen(tabs[index]?.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="mb-2 flex flex-wrap gap-x-4 border-b"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-tab-${tab.id}`}
            aria-selected={tab.id === chosenTab}
            aria-controls={`${base}-panel-${tab.id}`}
            tabIndex={tab.id === chosenTab ? 0 : -1}
            onClick={() => setChosen(tab.id)}
            className={classNames(
              "-mb-px h-8 rounded-t-sm border-b-2 text-sm font-medium whitespace-nowrap pointer-coarse:h-11",
              tab.id === chosenTab
                ? "border-accent text-foreground"
                : "border-transparent text-muted hover:text-foreground",
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${base}-panel-${tab.id}`}
          aria-labelledby={`${base}-tab-${tab.id}`}
          hidden={tab.id !== chosenTab}
        >
          {tab.content}
        </div>
      ))}
    </div>
  );
}
