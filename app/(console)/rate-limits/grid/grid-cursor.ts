import { limitFields } from "@/components/rate-limits/limit-fields";
import type { GridItem } from "./arrange-pairs";
import type { DraftRow } from "./limit-draft";
import { applies, type LimitPair, limitField, savedValue } from "./limit-pair";

/** A place in the grid: the index of the shown row, and a column. The names of rows are in column -1. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export const NAMES = -1;
export const LAST_COLUMN = limitFields.length - 1;

export type Direction = "up" | "down" | "left" | "right";

const steps: Record<Direction, Place> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
};

/** Whether the cursor may be there: on a name, on the head of a group, or on a limit that applies to its model. */
export function isUsable(items: readonly GridItem[], { row, column }: Place): boolean {
  const item = items[row];
  if (!item || column < NAMES || column > LAST_COLUMN) return false;
  if (column === NAMES) return true;
  return item.kind === "pair" && applies(item.pair, limitField(column));
}

/** The next usable place in a direction; the same one if there is none. */
export function step(items: readonly GridItem[], from: Place, direction: Direction): Place {
  return walk(items, from, direction, () => true) ?? from;
}

/** The next cell that was set by hand or changed in the draft, or else the last usable one in that direction. */
export function jump(
  items: readonly GridItem[],
  from: Place,
  direction: Direction,
  draftRow: (pair: string) => DraftRow,
): Place {
  const isMarked = (place: Place) => {
    const item = items[place.row];
    if (item?.kind !== "pair" || place.column === NAMES) return false;
    const { name } = limitField(place.column);
    return savedValue(item.pair, name).isOwn || draftRow(item.pair.key)[name] !== undefined;
  };
  return walk(items, from, direction, isMarked) ?? findLast(items, from, direction);
}

/** The place a page of rows away, or the nearest usable one to it. */
export function page(items: readonly GridItem[], from: Place, rows: number): Place {
  const wanted = Math.max(0, Math.min(items.length - 1, from.row + rows));
  const target = { row: wanted, column: from.column };
  if (isUsable(items, target)) return target;
  const [back, on] = rows < 0 ? (["down", "up"] as const) : (["up", "down"] as const);
  return walk(items, target, on, () => true) ?? walk(items, target, back, () => true) ?? from;
}

/** The first usable limit of the row, or the last. */
export function rowEdge(items: readonly GridItem[], from: Place, side: "left" | "right"): Place {
  if (side === "left") return { ...from, column: NAMES };
  return findLast(items, from, "right");
}

function findLast(items: readonly GridItem[], from: Place, direction: Direction): Place {
  const { row, column } = steps[direction];
  const end = {
    row: row === 0 ? from.row : row < 0 ? -1 : items.length,
    column: column === 0 ? from.column : column < 0 ? NAMES - 1 : LAST_COLUMN + 1,
  };
  const back = ({ up: "down", down: "up", left: "right", right: "left" } as const)[direction];
  return walk(items, end, back, () => true) ?? from;
}

function walk(
  items: readonly GridItem[],
  from: Place,
  direction: Direction,
  isWanted: (place: Place) => boolean,
): Place | null {
  const by = steps[direction];
  for (let at = add(from, by); isInside(items, at); at = add(at, by)) {
    if (isUsable(items, at) && isWanted(at)) return at;
  }
  return null;
}

const add = (place: Place, by: Place): Place => ({
  row: place.row + by.row,
  column: place.column + by.column,
});

const isInside = (items: readonly GridItem[], { row, column }: Place): boolean =>
  row >= 0 && row < items.length && column >= NAMES && column <= LAST_COLUMN;

/** Cells between two corners. */
export interface Selection {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The selection between two places. From a name on it is of all limits of its rows. */
export function selectBetween(active: Place, extent: Place): Selection {
  const isRows = active.column === NAMES || extent.column === NAMES;
  return {
    top: Math.min(active.row, extent.row),
    bottom: Math.max(active.row, extent.row),
    left: isRows ? 0 : Math.min(active.column, extent.column),
    right: isRows ? LAST_COLUMN : Math.max(active.column, extent.column),
  };
}

/** The selected pairs and columns. The head of a closed group stands for its pairs. */
export function toBlock(
  items: readonly GridItem[],
  { top, bottom, left, right }: Selection,
): { pairs: LimitPair[]; columns: number[] } {
  const pairs = items.slice(top, bottom + 1).flatMap((item) => {
    if (item.kind === "pair") return item.pair;
    return item.isOpen ? [] : item.pairs;
  });
  return { pairs, columns: Array.from({ length: right - left + 1 }, (_, at) => left + at) };
}
