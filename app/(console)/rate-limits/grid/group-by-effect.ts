import { findEntry, type LimitUse } from "./limit-use";
import type { ListedChange } from "./list-changes";

export type Effect = "refuses" | "lets through" | "nothing";

/** A change with what the last 7 days say about it. */
export interface WeighedChange extends ListedChange {
  /** The most that was used within its window in 7 days; null if nothing was. */
  readonly peak: number | null;
  readonly refused: number;
}

/**
 * Groups changes by what the last 7 days say: a limit below the most that was used would have refused calls, and one
 * that is raised after it refused some would have let more through.
 */
export function groupByEffect(
  changes: readonly ListedChange[],
  use: LimitUse,
): Readonly<Record<Effect, readonly WeighedChange[]>> {
  const groups: Record<Effect, WeighedChange[]> = { refuses: [], "lets through": [], nothing: [] };
  for (const change of changes) {
    const entry = findEntry(use.row(change.pair.key), change.field.name);
    const weighed = { ...change, peak: entry?.peak_7_days ?? null, refused: entry?.refused_7_days ?? 0 };
    groups[judge(weighed)].push(weighed);
  }
  return groups;
}

function judge({ from, to, peak, refused }: WeighedChange): Effect {
  const [before, after] = [from, to].map((limit) => limit ?? Number.POSITIVE_INFINITY) as [number, number];
  if (after < before && peak !== null && peak > after) return "refuses";
  if (after > before && refused > 0) return "lets through";
  return "nothing";
}
