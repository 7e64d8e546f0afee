import type { GridItem } from "./arrange-pairs";
import { isUsable, NAMES, type Place, type Selection, selectBetween, step } from "./grid-cursor";
import type { LimitPair } from "./limit-pair";

/** The text in the editor. With a caret, arrows move in the text; without, they end the edit and move on. */
interface CellEdit {
  readonly text: string;
  readonly hasCaret: boolean;
}

/** What a fill or a paste did or left, beside the count of changes. */
interface GridNote {
  readonly text: string;
  readonly isRefusal: boolean;
}

/** Where the cursor of the grid is, what is selected, and the text being typed. Notifies its subscribers. */
export class GridState {
  #items: readonly GridItem[] = [];
  #pairs: readonly LimitPair[] = [];
  #active: Place = { row: 0, column: NAMES };
  #extent: Place = this.#active;
  #edit: CellEdit | null = null;
  #holdsFocus = false;
  #rowsInView = 20;
  #note: GridNote | null = null;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly items = (): readonly GridItem[] => this.#items;
  /** Every pair, also those that filters and closed groups hide. */
  readonly pairs = (): readonly LimitPair[] => this.#pairs;
  readonly active = (): Place => this.#active;
  readonly extent = (): Place => this.#extent;
  readonly edit = (): CellEdit | null => this.#edit;

  /** As many rows as Page Up and Page Down pass. */
  readonly rowsInView = (): number => Math.max(1, this.#rowsInView - 3);

  setRowsInView(count: number): void {
    this.#rowsInView = count;
  }

  readonly note = (): GridNote | null => this.#note;

  /** Says what the last fill or paste did, until something else is done. */
  tell(note: GridNote | null): void {
    this.#note = note;
    this.#publish();
  }

  /** True while the focus is in the grid: it then follows the cursor. */
  readonly holdsFocus = (): boolean => this.#holdsFocus;

  setFocus(holdsFocus: boolean): void {
    this.#holdsFocus = holdsFocus;
  }

  /** The pair under the cursor; undefined on the head of a group. */
  activePair(): LimitPair | undefined {
    const item = this.#items[this.#active.row];
    return item?.kind === "pair" ? item.pair : undefined;
  }

  selection(): Selection {
    return selectBetween(this.#active, this.#extent);
  }

  /** The column of the cursor if it is in the row; null otherwise. */
  readonly activeColumnIn = (row: number): number | null =>
    row === this.#active.row ? this.#active.column : null;

  /** The selected columns of a row as one number, `10 * first + last`; -1 if none are. */
  readonly selectedIn = (row: number): number => {
    const { top, bottom, left, right } = this.selection();
    return row >= top && row <= bottom ? 10 * left + right : -1;
  };

  setPairs(pairs: readonly LimitPair[]): void {
    this.#pairs = pairs;
  }

  /** Shows other rows. The cursor stays on its pair, or goes to the first limit if that is gone. */
  setItems(items: readonly GridItem[]): void {
    const before = this.#items[this.#active.row];
    const isFirst = this.#items.length === 0;
    this.#items = items;
    const row = before ? items.findIndex(({ kind, key }) => kind === before.kind && key === before.key) : -1;
    if (row === -1) this.#toFirst(isFirst);
    else if (row !== this.#active.row || !isUsable(items, this.#extent)) {
      this.#active = { row, column: this.#active.column };
      this.#extent = this.#active;
    }
    this.#publish();
  }

  /** Moves the cursor, or only the end of the selection. Ends an edit without keeping its text. */
  move(place: Place, { extends: isExtended = false } = {}): void {
    this.#extent = place;
    if (!isExtended) this.#active = place;
    this.#edit = null;
    this.#publish();
  }

  startEdit(text: string, hasCaret: boolean): void {
    this.#edit = { text, hasCaret };
    this.#publish();
  }

  endEdit(): void {
    if (!this.#edit) return;
    this.#edit = null;
    this.#publish();
  }

  #toFirst(isFirst: boolean): void {
    const head: Place = { row: 0, column: NAMES };
    const below = step(this.#items, { row: -1, column: 0 }, "down");
    const column = isFirst ? 0 : this.#active.column;
    const at = { row: below.row, column };
    this.#active = isUsable(this.#items, at) ? at : isUsable(this.#items, below) ? below : head;
    this.#extent = this.#active;
    this.#edit = null;
  }

  #publish(): void {
    for (const listener of this.#listeners) listener();
  }
}
