import type { Bench } from "./pane";

const NARROWEST = 0.2;

/** Moves the divider before a pane by a share of the whole width: what the pane loses, the one before it gains. */
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
