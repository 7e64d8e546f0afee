"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { GridItem } from "./arrange-pairs";
import { useGrid } from "./grid-context";
import { computeShare, rateShare } from "./limit-use";

/** Places beside the scroll bar: rows that share one share a mark. */
const PLACES = 200;
/** Marks follow a change after a moment, since they look at every row. */
const AFTER_MS = 250;

type Mark = "changed" | "near" | "used up";
const colors: Record<Mark, string> = { changed: "bg-accent", near: "bg-chart-4", "used up": "bg-danger" };

/** Where changes are and limits that are near or used up, along the height of the grid. */
export function ScrollMarks({ items }: { items: readonly GridItem[] }) {
  const { draft, use } = useGrid();
  const draftCounts = useSyncExternalStore(draft.subscribe, draft.counts, draft.counts);
  const useCounts = useSyncExternalStore(use.subscribe, use.counts, use.counts);
  const [marks, setMarks] = useState<readonly [number, Mark][]>([]);
  useEffect(() => {
    const mark = (item: GridItem): Mark | null => {
      if (item.kind === "group") return null;
      if (Object.keys(draft.row(item.key)).length > 0) return "changed";
      const limits = use.row(item.key)?.limits ?? [];
      const rated = limits.map((entry) => rateShare(computeShare(entry, "now") ?? 0));
      return rated.includes("used up") ? "used up" : rated.includes("near") ? "near" : null;
    };
    const isQuiet = draftCounts.pairs === 0 && useCounts.near + useCounts.usedUp === 0;
    const timer = setTimeout(() => setMarks(isQuiet ? [] : placeMarks(items, mark)), AFTER_MS);
    return () => clearTimeout(timer);
  }, [items, draft, use, draftCounts, useCounts]);
  return (
    <div aria-hidden className="pointer-events-none absolute top-0 right-0 bottom-0 z-5 w-2.5">
      {marks.map(([place, mark]) => (
        <span
          key={`${place} ${mark}`}
          className={`absolute right-0.5 h-0.5 w-2 ${colors[mark]}`}
          style={{ top: `${(100 * place) / PLACES}%` }}
        />
      ))}
    </div>
  );
}

function placeMarks(items: readonly GridItem[], find: (item: GridItem) => Mark | null): [number, Mark][] {
  const byPlace = new Map<number, Mark>();
  for (const [row, item] of items.entries()) {
    const mark = find(item);
    if (mark) byPlace.set(Math.floor((row / items.length) * PLACES), mark);
  }
  return [...byPlace];
}
