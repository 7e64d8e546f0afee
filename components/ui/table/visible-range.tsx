"use client";

import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useState } from "react";
import { useIsPainted } from "../browser/use-is-painted";
import { ROW_PX } from "./gap";

const OVERSCAN = 15;

/** The rows of a long table to render, and where they are: in pixels from the top of the document. */
export type RowRange = {
  rows: readonly Pick<VirtualItem, "index" | "start" | "end">[];
  /** The edges of the table's body. */
  top: number;
  bottom: number;
};

/** Observes the height of a rendered row, which has its index as `data-index`. Null: some row was removed. */
export type ObserveRow = (element: HTMLTableRowElement | null) => void;

export type VisibleRangeProps<Row> = {
  body: RefObject<HTMLTableSectionElement | null>;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Rendered wherever the page is scrolled to. */
  focusedRow: number | null;
  onRange: (range: RowRange, observe: ObserveRow) => void;
};

/** Renders nothing. Reports which rows of a long table are visible, as the page scrolls and rows get their heights. */
export function VisibleRange<Row>({ body, rows, rowId, focusedRow, onRange }: VisibleRangeProps<Row>) {
  const [top, setTop] = useState(0);
  // Without the heights of the rows above the window, those in it would jump.
  const [rendered] = useState(() => measureRendered(body.current, (index) => rowId(rows[index] as Row)));
  const isPainted = useIsPainted();
  // Another function counts as another list, whose items would be reported again.
  const getItemKey = useCallback((index: number) => rowId(rows[index] as Row), [rows, rowId]);
  const rangeExtractor = useCallback((range: Range) => withFocused(range, focusedRow), [focusedRow]);
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: isPainted ? OVERSCAN : 0,
    scrollMargin: top,
    initialMeasurementsCache: rendered,
    initialRect: { width: 0, height: window.innerHeight },
    getItemKey,
    measureElement: measureAfterLayout,
    rangeExtractor,
  });
  const items = virtual.getVirtualItems();
  const bottom = top + virtual.getTotalSize();
  const observe = virtual.measureElement;

  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
    };
    // Called after the first layout too. Content above the table may change its height.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);

  useLayoutEffect(
    () => onRange({ rows: items, top, bottom }, observe),
    [items, top, bottom, observe, onRange],
  );
  return null;
}

/** Measures the rows that the table has rendered already, from its first on. */
function measureRendered(
  body: HTMLTableSectionElement | null,
  key: (index: number) => string,
): VirtualItem[] {
  const elements = [...(body?.rows ?? [])].filter((row) => row.role !== "presentation");
  const boxes = elements.map((row) => row.getBoundingClientRect());
  return boxes.map(({ top: start, bottom: end, height: size }, index) => ({
    index,
    key: key(index),
    start,
    end,
    size,
    lane: 0,
  }));
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
