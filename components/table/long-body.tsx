"use client";

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** 36 px plus the border. */
const ROW_PX = 37;
const OVERSCAN = 15;
/** Rows rendered before the size of the window is known. */
const FIRST_ROWS = 40;

type LongBodyProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Renders the row. The attributes belong on its `<tr>`. */
  draw: (row: Row, attributes: RowAttributes) => ReactNode;
};

export type RowAttributes = {
  "data-index": number;
  "aria-rowindex": number;
  ref: (element: HTMLTableRowElement | null) => void;
};

/** Renders only the visible rows of a long table and the focused row. Spacers replace the others. */
export function LongBody<Row>({ rows, rowId, draw }: LongBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  const [focusedRow, setFocused] = useState<number | null>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: { width: 0, height: FIRST_ROWS * ROW_PX },
    getItemKey: (index) => rowId(rows[index] as Row),
    rangeExtractor: (range) => withFocused(range, focusedRow),
  });

  useLayoutEffect(() => {
    const element = body.current;
    if (!element) return;
    const measure = () => setTop(element.getBoundingClientRect().top + window.scrollY);
    measure();
    // Content above the table may change its height.
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
    rowNodes.push(
      draw(row, { "data-index": index, "aria-rowindex": index + 2, ref: virtual.measureElement }),
    );
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

function Gap({ height }: { height: number }) {
  return (
    <tr role="presentation" aria-hidden className="gap">
      <td style={{ height }}>&nbsp;</td>
    </tr>
  );
}

function withFocused(range: Range, focusedRow: number | null): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focusedRow === null || focusedRow >= range.count || indexes.includes(focusedRow)) return indexes;
  return [...indexes, focusedRow].toSorted((one, other) => one - other);
}
