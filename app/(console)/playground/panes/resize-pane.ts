import type { Workbench } from "@/components/playground/workbench";

const NARROWEST = 0.2;

/**
 * Moves the divider before a pane. `share` is a fraction of the total width, taken from one pane and given to the
 * other.
 */
export function resizePane(workbench: Workbench, index: number, share: number): Workbench {
  const before = workbench.panes[index - 1];
  const after = workbench.panes[index];
  if (!before || !after) return workbench;
  const total = workbench.panes.reduce((sum, { width }) => sum + width, 0);
  const moved = Math.max(NARROWEST - before.width, Math.min(after.width - NARROWEST, share * total));
  const panes = workbench.panes
    .with(index - 1, { ...before, width: before.width + moved })
    .with(index, { ...after, width: after.width - moved });
  return { ...workbench, panes };
}
