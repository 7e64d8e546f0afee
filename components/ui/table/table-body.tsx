"use client";

import { type FocusEvent, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useIsPainted } from "../browser/use-is-painted";
import { loadOnClient } from "../dialog/load-on-client";
import { countFirstRows, Gap, ROW_PX } from "./gap";
import type { ObserveRow, RowRange, VisibleRangeProps } from "./visible-range";

/** Rows of a long table that the server renders, which doesn't know the size of the window. */
const SERVERS_FIRST_ROWS = 40;

/** Most tables are short: they don't load it. If it can't be loaded, all rows are rendered. */
const VisibleRange = loadOnClient<VisibleRangeProps<unknown>>(() =>
  import("./visible-range").then(
    (module) => module.VisibleRange,
    () => AllRows,
  ),
);

type TableBodyProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Only the visible rows are rendered, and the focused one. */
  isLong: boolean;
  draw: (row: Row, attributes?: RowAttributes) => ReactNode;
};

/** What belongs on the `<tr>` of a long table: `index` as `data-index`, `observe` as `ref`. */
export type RowAttributes = { index: number; observe: ObserveRow };

/** Renders the rows of a table, and spacers in place of those that nobody sees yet. */
export function TableBody<Row>({ rows, rowId, isLong, draw }: TableBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [observer] = useState(forwardRows);
  const [range, setRange] = useState<RowRange | null>(null);
  const [focusedRow, setFocused] = useState<number | null>(null);
  // A table that becomes long has rendered its rows already: they stay until the visible ones are known.
  const [wasLong] = useState(isLong);
  const isPainted = useIsPainted();

  const onRange = useCallback<VisibleRangeProps<unknown>["onRange"]>(
    (next, observe) => {
      observer.forwardTo(observe, body.current);
      setRange(next);
    },
    [observer],
  );

  function onFocus({ target }: FocusEvent) {
    const index = target.closest<HTMLElement>("tr[data-index]")?.dataset.index;
    setFocused(index === undefined ? null : Number(index));
  }

  const mostRows = isLong && wasLong ? SERVERS_FIRST_ROWS : rows.length;
  const shownRange = (isLong && range) || firstRange(rows.length, isPainted ? mostRows : countFirstRows());
  const rowNodes: ReactNode[] = [];
  let end = shownRange.top;
  for (const { index, start, end: next } of shownRange.rows) {
    const row = rows[index];
    if (row === undefined) continue;
    if (start > end) rowNodes.push(<Gap key={`before ${index}`} height={start - end} />);
    rowNodes.push(isLong ? draw(row, { index, observe: observer.observe }) : draw(row));
    end = next;
  }
  if (shownRange.bottom > end) rowNodes.push(<Gap key="after" height={shownRange.bottom - end} />);
  return (
    <tbody ref={body} role="rowgroup" onFocus={onFocus} onBlur={() => setFocused(null)}>
      {rowNodes}
      {isLong && (
        <VisibleRange
          body={body}
          rows={rows}
          rowId={rowId as (row: unknown) => string}
          focusedRow={focusedRow}
          onRange={onRange}
        />
      )}
    </tbody>
  );
}

/** Hands the rendered rows, as one function that doesn't change, to what observes them once that is loaded. */
function forwardRows() {
  let receive: ObserveRow | null = null;
  return {
    observe: (row: HTMLTableRowElement | null) => receive?.(row),
    forwardTo(next: ObserveRow, body: HTMLTableSectionElement | null): void {
      if (receive === next) return;
      receive = next;
      body?.querySelectorAll<HTMLTableRowElement>("tr[data-index]").forEach((row) => next(row));
    },
  };
}

/** The first rows, as if each had the usual height. */
function firstRange(count: number, most: number): RowRange {
  const rows = Array.from({ length: Math.min(count, most) }, (_, index) => ({
    index,
    start: index * ROW_PX,
    end: (index + 1) * ROW_PX,
  }));
  return { rows, top: 0, bottom: count * ROW_PX };
}

function AllRows({ rows, onRange }: VisibleRangeProps<unknown>) {
  const count = rows.length;
  useLayoutEffect(() => onRange(firstRange(count, count), () => {}), [count, onRange]);
  return null;
}
