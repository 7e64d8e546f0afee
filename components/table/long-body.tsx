"use client";

import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useWindowVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useIsPainted } from "../browser/use-is-painted";
import { countFirstRows, Gap, ROW_PX } from "./gap";

const OVERSCAN = 15;
/** Rows that the server renders, which doesn't know the size of the window. */
const SERVERS_FIRST_ROWS = 40;

type LongBodyProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Renders the row. `measure` belongs on its `<tr>`, and so does the index as `data-index`. */
  draw: (row: Row, attributes: RowAttributes) => ReactNode;
};

export type RowAttributes = {
  index: number;
  measure: (element: HTMLTableRowElement | null) => void;
};

/** Renders only the visible rows of a long table and the focused row. Spacers replace the others. */
export function LongBody<Row>({ rows, rowId, draw }: LongBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focusedRow, setFocused] = useState<number | null>(null);
  const isPainted = useIsPainted();
  const firstRows = isPainted ? SERVERS_FIRST_ROWS : countFirstRows();
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: isPainted ? OVERSCAN : 0,
    scrollMargin: top,
    initialRect: { width: 0, height: firstRows * ROW_PX },
    getItemKey: (index) => rowId(rows[index] as Row),
    measureElement: measureAfterLayout,
    rangeExtractor: (range) => withFocused(range, focusedRow),
  });

  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const measure = () => setTop(element.getBoundingClientRect().top + window.scrollY);
    // Called after the first layout too. Content above the table may change its height.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  function onFocus({ target }: FocusEvent) {
    const index = target.closest<HTMLElement>("tr[data-index]")?.dataset.index;
    setFocused(index === undefined ? null : Number(index));
  }

  const rowNodes: ReactNode[] = [];
  let end = top;
  for (const { index, key, start, end: next } of virtual.getVirtualItems()) {
    const row = rows[index];
    if (!row) continue;
    if (start > end) rowNodes.push(<Gap key={`before ${key}`} height={start - end} />);
    rowNodes.push(draw(row, { index, measure: virtual.measureElement }));
    end = next;
  }
  const total = top + virtual.getTotalSize();
  if (total > end) rowNodes.push(<Gap key="after" height={total - end} />);
  return (
    <tbody ref={body} role="rowgroup" onFocus={onFocus} onBlur={() => setFocused(null)}>
      {rowNodes}
    </tbody>
  );
}

/** Returns the last known or the usual height of a new row: measuring it now would force a layout. */
function measureAfterLayout(
  row: HTMLTableRowElement,
  entry: ResizeObserverEntry | undefined,
  instance: Virtualizer<Window, HTMLTableRowElement>,
): number {
  if (entry) return measureElement(row, entry, instance);
  const index = instance.indexFromElement(row);
  return instance.itemSizeCache.get(instance.options.getItemKey(index)) ?? ROW_PX;
}

function withFocused(range: Range, focusedRow: number | null): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focusedRow === null || focusedRow >= range.count || indexes.includes(focusedRow)) return indexes;
  return [...indexes, focusedRow].toSorted((one, other) => one - other);
}
