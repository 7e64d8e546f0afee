import type { Bench } from "./pane";

const NARROWEST = 0.2;

/** Moves the divider before a pane. `share` is a fraction of the total width, taken from one pane and given to the other. */
export function resizePane(bench: Bench, index: number, share: number): Bench {
  const before = bench.panes[index - 1];
  const after = bench.panes[index];
  if (!before || !after) return bench;
  const total = bench.panes.reduce((sum, { width }) => sum + width, 0);
  const moved = Math.max(NARROWEST - before.width, Math.min(after.width - NARROWEST, share * total));
  const panes = bench.panes
    .with(index - 1, { ...before, width: before.width + moved })
    .with(index, { ...after, width: after.width - moved });
  return { ...bench, panes };
}
