"use client";

import {
  type CSSProperties,
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import type { GridItem, GridSort } from "./arrange-pairs";
import { computeShare, type Grid, rateShare, useGrid } from "./grid-context";
import { isUsable, NAMES, type Place, type Selection, selectBetween, toBlock } from "./grid-cursor";
import { GridRow, GroupButton, GroupMenu } from "./grid-row";
import { describeWindow, plainText } from "./limit-cell";
import { limitField } from "./limit-pair";
import { planFillDown, planFillRight } from "./plan-edits";
import { commitEdit, createGridKeys } from "./use-grid-keys";

const ROW_PX = 29;

type GridTableProps = {
  label: string;
  items: readonly GridItem[];
  sort: GridSort | null;
  setSort: (sort: GridSort | null) => void;
};

/** The grid itself. Only the rows in view are rendered, and that of the cursor. */
export function GridTable({ label, items, sort, setSort }: GridTableProps) {
  const grid = useGrid();
  const { state } = grid;
  const scroller = useRef<HTMLDivElement>(null);
  const cursorRow = useSyncExternalStore(
    state.subscribe,
    () => state.active().row,
    () => 0,
  );
  const shown = useRowWindow(scroller, ROW_PX);
  useEffect(() => state.setRowsInView(shown.count), [state, shown.count]);
  const keys = useMemo(() => createGridKeys(grid), [grid]);
  const pointer = useMemo(() => createPointer(grid), [grid]);
  function onBlur({ currentTarget, relatedTarget }: FocusEvent) {
    if (!(relatedTarget instanceof Node) || currentTarget.contains(relatedTarget)) return;
    state.setFocus(false);
    commitEdit(grid);
  }

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ScrollMarks items={items} />
      <div ref={scroller} className="limit-scroller" {...pointer}>
        <div
          role="grid"
          aria-label={label}
          aria-rowcount={items.length + 1}
          aria-colcount={limitFields.length + 1}
          aria-multiselectable
          className="relative min-w-max"
          onFocus={() => state.setFocus(true)}
          onBlur={onBlur}
          {...keys}
        >
          <GridHead sort={sort} setSort={setSort} />
          <StickyGroup items={items} top={shown.top} />
          <div role="rowgroup" className="relative" style={{ height: items.length * ROW_PX }}>
            {listRows(shown, items.length, cursorRow).map((row) => {
              const item = items[row];
              return item && <GridRow key={itemKey(item)} item={item} row={row} height={ROW_PX} />;
            })}
            <SelectionBox rowHeight={ROW_PX} />
          </div>
        </div>
      </div>
    </div>
  );
}

const itemKey = ({ kind, key }: GridItem) => `${kind} ${key}`;

const nameHeads = { project: "Project, model", model: "Model, project", none: "Project and model" };

function GridHead({ sort, setSort }: Pick<GridTableProps, "sort" | "setSort">) {
  const { groupBy } = useGrid();
  return (
    <div role="rowgroup" className="limit-head">
      <div role="row" aria-rowindex={1} className="limit-columns">
        <div role="columnheader" aria-colindex={1} className="limit-head-name">
          <span className="block font-semibold text-foreground">{nameHeads[groupBy]}</span>
          {sort ? `sorted by ${limitField(sort.column).label.toLowerCase()}` : "sorted by name"}
        </div>
        {limitFields.map((field, column) => {
          const isSorted = sort?.column === column;
          const next = { column, isDescending: isSorted ? !sort.isDescending : true };
          return (
            <div
              key={field.name}
              role="columnheader"
              aria-colindex={column + 2}
              aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
              className="limit-head-cell"
            >
              <button
                type="button"
                tabIndex={-1}
                title={`Sort by ${field.label}`}
                className="w-full rounded-sm text-right hover:text-foreground"
                onClick={() => setSort(isSorted && !sort.isDescending ? null : next)}
              >
                <span className={classNames("block font-semibold whitespace-nowrap text-foreground")}>
                  {field.column} {field.per}
                  {isSorted && (sort.isDescending ? " ↓" : " ↑")}
                </span>
                {describeWindow(field)}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The head of the group whose rows are at the top, once it is scrolled away. */
function StickyGroup({ items, top }: { items: readonly GridItem[]; top: number }) {
  const item = items[top];
  if (!item || item.kind === "group") return null;
  const start = findGroupStart(items, top);
  const group = items[start];
  if (group?.kind !== "group") return null;
  const above = top - start - 1;
  return (
    <div aria-hidden className="limit-sticky">
      <div className="limit-group relative" style={{ height: ROW_PX }}>
        <GroupButton group={group} isTabStop={false} note={above > 0 ? ` · ${above} above` : ""} />
        <GroupMenu group={group} isTabStop={false} />
      </div>
    </div>
  );
}

function findGroupStart(items: readonly GridItem[], from: number): number {
  for (let at = from; at >= 0; at--) if (items[at]?.kind === "group") return at;
  return -1;
}

/** The frame around the selection, with the handle that fills. Drawn above the cells, so that none renders again. */
function SelectionBox({ rowHeight }: { rowHeight: number }) {
  const { state } = useGrid();
  const active = useSyncExternalStore(state.subscribe, state.active, state.active);
  const extent = useSyncExternalStore(state.subscribe, state.extent, state.extent);
  if (active.column === NAMES && active.row === extent.row) return null;
  return (
    <div aria-hidden className="limit-selection" style={placeBox(state.selection(), rowHeight)}>
      <span data-fill-handle className="limit-fill-handle" />
    </div>
  );
}

function placeBox({ top, bottom, left, right }: Selection, rowHeight: number): CSSProperties {
  const column = `((100% - var(--name-width)) / ${limitFields.length})`;
  return {
    top: top * rowHeight,
    height: (bottom - top + 1) * rowHeight,
    left: `calc(var(--name-width) + ${column} * ${left})`,
    width: `calc(${column} * ${right - left + 1})`,
  };
}

/** Rows rendered beyond each edge of what is seen. */
const OVERSCAN = 10;

/** What the server renders, which doesn't know the size of the window. */
const FIRST_COUNT = 36;

interface RowWindow {
  /** The row at the top edge. */
  readonly top: number;
  /** The rows that fit between the edges. */
  readonly count: number;
}

/** Follows which rows a scroller shows, all of the same height: with 100,000 rows, none is ever measured. */
function useRowWindow(scroller: RefObject<HTMLElement | null>, rowPx: number): RowWindow {
  const [shown, setShown] = useState<RowWindow>({ top: 0, count: FIRST_COUNT });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const top = Math.floor(element.scrollTop / rowPx);
      const count = Math.ceil(element.clientHeight / rowPx);
      setShown((before) => (before.top === top && before.count === count ? before : { top, count }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, rowPx]);
  return shown;
}

/** The indexes of the rows to render: those in the window and around it, and that of the cursor. */
function listRows({ top, count }: RowWindow, length: number, cursorRow: number): number[] {
  const first = Math.max(0, top - OVERSCAN);
  const end = Math.min(length, top + count + OVERSCAN);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  if (cursorRow >= length || (cursorRow >= first && cursorRow < end)) return rows;
  return cursorRow < first ? [cursorRow, ...rows] : [...rows, cursorRow];
}

/** Places beside the scroll bar: rows that share one share a mark. */
const PLACES = 200;

/** Marks follow a change after a moment, since they look at every row. */
const AFTER_MS = 250;

type Mark = "changed" | "near" | "used up";

const colors: Record<Mark, string> = { changed: "bg-accent", near: "bg-chart-4", "used up": "bg-danger" };

/** Where changes are and limits that are near or used up, along the height of the grid. */
function ScrollMarks({ items }: { items: readonly GridItem[] }) {
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

/** Where a point of the page is in the grid; null outside of its rows. */
function placeAt(target: EventTarget | null): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const row = cell?.closest<HTMLElement>("[data-row]");
  if (!cell || !row) return null;
  return { row: Number(row.dataset["row"]), column: Number(cell.dataset["column"]) };
}

const placeUnder = ({ clientX, clientY }: PointerEvent): Place | null =>
  placeAt(document.elementFromPoint(clientX, clientY));

/** Pressing a cell puts the cursor there, dragging selects, and the handle of the selection fills. */
function createPointer(grid: Grid) {
  const { state, draft } = grid;
  let drag: "select" | "fill" | null = null;
  let source = state.selection();

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0 || event.pointerType === "touch") return;
    if (event.target instanceof Element && event.target.closest("[data-fill-handle]")) {
      event.preventDefault();
      drag = "fill";
      source = state.selection();
      return;
    }
    const place = placeAt(event.target);
    if (!place || !isUsable(state.items(), place)) return;
    state.setFocus(true);
    const isHere = place.row === state.active().row && place.column === state.active().column;
    // In the text being typed, the press moves the caret.
    if (isHere && state.edit()) return;
    commitEdit(grid);
    state.move(place, { extends: event.shiftKey });
    if (place.column === NAMES) return;
    event.preventDefault();
    // The cursor that stays where it is doesn't take the focus by itself.
    if (isHere && event.target instanceof Element) event.target.closest<HTMLElement>("input")?.focus();
    drag = "select";
  }

  function onPointerMove(event: PointerEvent): void {
    if (drag === null || event.buttons === 0) {
      drag = null;
      return;
    }
    const place = placeUnder(event);
    if (!place || place.column === NAMES) return;
    const { row, column } = state.extent();
    if (place.row !== row || place.column !== column) state.move(place, { extends: true });
  }

  function onPointerUp(): void {
    if (drag === "fill") fillFrom();
    drag = null;
  }

  /** Fills what was added to the selection below it or on its right, from its last row or column. */
  function fillFrom(): void {
    const target = selectBetween(state.active(), state.extent());
    const block = (selection: typeof target) => toBlock(state.items(), selection);
    if (target.bottom > source.bottom) {
      grid.make(
        planFillDown(draft, block({ ...source, top: source.bottom, bottom: target.bottom })),
        "Filled",
      );
    } else if (target.right > source.right) {
      grid.make(
        planFillRight(draft, block({ ...source, left: source.right, right: target.right })),
        "Filled",
      );
    }
  }

  function onDoubleClick({ target }: { target: EventTarget }): void {
    const { row, column } = state.active();
    const place = placeAt(target);
    if (place?.row === row && place.column === column) editText(grid);
  }

  return { onPointerDown, onPointerMove, onPointerUp, onDoubleClick };
}

/** Puts the caret into the text of the cursor's cell. */
function editText({ state, draft }: Grid): void {
  const pair = state.activePair();
  const { column } = state.active();
  if (!pair || column === NAMES || pair.isLocked || state.edit()) return;
  const field = limitField(column);
  state.startEdit(plainText(pair, field, draft.cell(pair.key, field.name)), true);
}
