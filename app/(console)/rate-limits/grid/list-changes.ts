import { type LimitField, limitFields } from "@/components/rate-limits/limit-fields";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { DraftedLimitChange } from "@/lib/contract/operations/models/rate-limit-changes";
import type { LimitReplay, ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { type DraftCell, type DraftCounts, type DraftEdit, hasMovedOn, type LimitDraft } from "./limit-draft";
import { type LimitPair, nameTarget, resolve, savedValue, targetKey } from "./limit-pair";
import type { LimitValue } from "./parse-typed";

/** A changed cell that can be saved, with what it would do. */
export interface ListedChange {
  readonly pair: LimitPair;
  readonly field: LimitField;
  readonly cell: DraftCell;
  readonly from: number | null;
  readonly to: number | null;
  readonly isDefault: boolean;
}

/** What is in the draft, by what can be done with it. */
export interface DraftContents {
  readonly changes: readonly ListedChange[];
  /** Cells whose text isn't understood. */
  readonly faults: readonly { pair: LimitPair; field: LimitField }[];
  /** Changes of cells that somebody saved meanwhile. They are among `changes` as well. */
  readonly conflicts: readonly ListedChange[];
  /** Cells of projects or models that are gone. */
  readonly lost: number;
}

/** @param counts those of the draft, of which what isn't found among the pairs is lost. */
export function listChanges(
  pairs: readonly LimitPair[],
  draft: LimitDraft,
  counts: DraftCounts,
): DraftContents {
  const changes: ListedChange[] = [];
  const faults: { pair: LimitPair; field: LimitField }[] = [];
  const found = draft.rows().size === 0 ? [] : pairs.filter(({ key }) => draft.rows().has(key));
  for (const pair of found) {
    const row = draft.row(pair.key);
    for (const field of limitFields) {
      const cell = row[field.name];
      if (!cell) continue;
      if (cell.fault !== undefined) {
        faults.push({ pair, field });
        continue;
      }
      const from = savedValue(pair, field.name).value;
      const to = resolve(pair, field.name, cell.to);
      changes.push({ pair, field, cell, from, to, isDefault: cell.to === "default" });
    }
  }
  const conflicts = changes.filter(({ pair, field, cell }) => hasMovedOn(pair, field, cell));
  const lost = counts.changes - changes.length - faults.length;
  return { changes, faults, conflicts, lost };
}

/** The changes as the gateway takes them: one for each pair. */
export function toRequest(changes: readonly ListedChange[]): DraftedLimitChange[] {
  const byPair = new Map<string, DraftedLimitChange>();
  for (const { pair, field, cell } of changes) {
    if (cell.fault !== undefined) continue;
    const request = byPair.get(pair.key) ?? {
      ...nameTarget(pair),
      ...(pair.version !== undefined && { version: pair.version }),
    };
    byPair.set(pair.key, { ...request, [field.name]: cell.to } as DraftedLimitChange);
  }
  return [...byPair.values()];
}

/** Keeps the person's own changes, as changes of what is saved now; those that are saved already are done. */
export function keepMine(conflicts: readonly ListedChange[]): DraftEdit[] {
  return conflicts.map(({ pair, field, cell }) => {
    const saved = savedValue(pair, field.name);
    const to: LimitValue | undefined = cell.fault === undefined ? cell.to : undefined;
    const isSaved = to === "default" ? !saved.isOwn : to === saved.value;
    const kept = isSaved || to === undefined ? undefined : { base: saved, to };
    return { pair: pair.key, field: field.name, cell: kept };
  });
}

/** Gives the changes up, in favor of what is saved. */
export function giveUp(changes: readonly ListedChange[]): DraftEdit[] {
  return changes.map(({ pair, field }) => ({ pair: pair.key, field: field.name, cell: undefined }));
}

/** The draft without the sent changes: later edits stay. */
export function withoutSent(draft: LimitDraft, sent: readonly ListedChange[]): DraftEdit[] {
  const done = new Set(sent.map(({ cell }) => cell));
  return [...draft.rows()].flatMap(([pair, row]) =>
    (Object.entries(row) as [RateLimitField, DraftCell][]).flatMap(([field, cell]) =>
      done.has(cell) ? [] : { pair, field, cell },
    ),
  );
}

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
