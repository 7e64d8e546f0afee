import type { LimitField } from "@/components/rate-limits/limit-fields";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import { type LimitPair, type SavedValue, savedValue } from "./limit-pair";
import type { LimitValue } from "./parse-typed";

/** An unsaved cell: what it is set to, or text that isn't understood and why. `base` was saved when it was typed. */
export type DraftCell = { readonly base: SavedValue } & (
  | { readonly to: LimitValue; readonly fault?: never }
  | { readonly typed: string; readonly fault: string }
);

/** Puts a cell into the draft, or takes it out. */
export interface DraftEdit {
  readonly pair: string;
  readonly field: RateLimitField;
  readonly cell: DraftCell | undefined;
}

export type DraftRow = Readonly<Partial<Record<RateLimitField, DraftCell>>>;

interface Step {
  readonly before: readonly DraftEdit[];
  readonly after: readonly DraftEdit[];
}

/** What the draft contains, for the footer. */
export interface DraftCounts {
  readonly changes: number;
  readonly faults: number;
  readonly pairs: number;
}

const NO_CELLS: DraftRow = {};

/** The unsaved cells of the grid, with undo and redo. Notifies its subscribers of each step. */
export class LimitDraft {
  readonly #rows = new Map<string, DraftRow>();
  #done: Step[] = [];
  #undone: Step[] = [];
  #changes = 0;
  #faults = 0;
  #counts: DraftCounts = { changes: 0, faults: 0, pairs: 0 };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The draft's cells of a pair. The same object until one of them changes. */
  row(pair: string): DraftRow {
    return this.#rows.get(pair) ?? NO_CELLS;
  }

  cell(pair: string, field: RateLimitField): DraftCell | undefined {
    return this.#rows.get(pair)?.[field];
  }

  rows(): ReadonlyMap<string, DraftRow> {
    return this.#rows;
  }

  /** The same object until the draft changes. */
  readonly counts = (): DraftCounts => this.#counts;

  canUndo(): boolean {
    return this.#done.length > 0;
  }

  canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Makes the edits as one step, which `undo` takes back. */
  apply(edits: readonly DraftEdit[]): void {
    if (edits.length === 0) return;
    this.#done.push({ before: this.#put(edits), after: edits });
    this.#undone = [];
    this.#publish();
  }

  /** @returns the edits that were made, to show where. */
  undo(): readonly DraftEdit[] {
    return this.#move(this.#done, this.#undone, "before");
  }

  redo(): readonly DraftEdit[] {
    return this.#move(this.#undone, this.#done, "after");
  }

  /** Takes the place of everything, without undo: a draft read from storage, or nothing after a save. */
  replace(edits: readonly DraftEdit[]): void {
    this.#rows.clear();
    this.#changes = 0;
    this.#faults = 0;
    this.#done = [];
    this.#undone = [];
    this.#put(edits);
    this.#publish();
  }

  #move(from: Step[], to: Step[], side: keyof Step): readonly DraftEdit[] {
    const step = from.pop();
    if (!step) return [];
    this.#put(step[side]);
    to.push(step);
    this.#publish();
    return step[side];
  }

  /** @returns the edits that take these back, in the order in which they do. */
  #put(edits: readonly DraftEdit[]): DraftEdit[] {
    const before: DraftEdit[] = [];
    for (const { pair, field, cell } of edits) {
      const { [field]: present, ...others } = this.row(pair);
      before.push({ pair, field, cell: present });
      this.#changes += Number(cell !== undefined) - Number(present !== undefined);
      this.#faults += Number(cell?.fault !== undefined) - Number(present?.fault !== undefined);
      const row = cell ? { ...others, [field]: cell } : others;
      if (Object.keys(row).length === 0) this.#rows.delete(pair);
      else this.#rows.set(pair, row);
    }
    return before.toReversed();
  }

  #publish(): void {
    this.#counts = { changes: this.#changes, faults: this.#faults, pairs: this.#rows.size };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether somebody saved another value since the cell was typed. */
export function hasMovedOn(pair: LimitPair, field: LimitField, { base }: DraftCell): boolean {
  const saved = savedValue(pair, field.name);
  return saved.value !== base.value || saved.isOwn !== base.isOwn;
}
