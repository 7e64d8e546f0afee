import type { LimitReplay, ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { type LimitPair, targetKey } from "./limit-pair";
import type { ListedChange } from "./list-changes";

export type Effect = "refuses" | "lets through" | "nothing";

/** The changes of a pair, with what they would have done to its calls; null while that isn't known. */
export interface ReviewedPair {
  readonly pair: LimitPair;
  readonly changes: readonly ListedChange[];
  readonly replayed: ReplayedChange | null;
}

/** The changed pairs by what they would have done. Without a replay all of them are under "nothing". */
export function reviewPairs(
  changes: readonly ListedChange[],
  replay: LimitReplay | undefined,
): Readonly<Record<Effect, readonly ReviewedPair[]>> {
  const replayedBy = new Map(replay?.changes.map((change) => [targetKey(change), change]));
  const groups: Record<Effect, ReviewedPair[]> = { refuses: [], "lets through": [], nothing: [] };
  const byPair = new Map<string, ListedChange[]>();
  for (const change of changes) {
    const ofPair = byPair.get(change.pair.key);
    if (ofPair) ofPair.push(change);
    else byPair.set(change.pair.key, [change]);
  }
  for (const [key, ofPair] of byPair) {
    const [first] = ofPair;
    const replayed = replayedBy.get(key) ?? null;
    if (first) groups[judge(replayed)].push({ pair: first.pair, changes: ofPair, replayed });
  }
  return {
    refuses: groups.refuses.toSorted(byDifference),
    "lets through": groups["lets through"].toSorted(byDifference),
    nothing: groups.nothing,
  };
}

const byDifference = (one: ReviewedPair, other: ReviewedPair) => countDifferent(other) - countDifferent(one);

const countDifferent = ({ replayed }: ReviewedPair) =>
  (replayed?.newly_refused ?? 0) + (replayed?.newly_let_through ?? 0);

function judge(replayed: ReplayedChange | null): Effect {
  if (replayed === null) return "nothing";
  if (replayed.newly_refused > 0 && replayed.newly_refused >= replayed.newly_let_through) return "refuses";
  return replayed.newly_let_through > 0 ? "lets through" : "nothing";
}
