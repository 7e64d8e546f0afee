"use client";

import { type RefObject, useLayoutEffect, useState } from "react";

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
export function useRowWindow(scroller: RefObject<HTMLElement | null>, rowPx: number): RowWindow {
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
export function listRows({ top, count }: RowWindow, length: number, cursorRow: number): number[] {
  const first = Math.max(0, top - OVERSCAN);
  const end = Math.min(length, top + count + OVERSCAN);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
  if (cursorRow >= length || (cursorRow >= first && cursorRow < end)) return rows;
  return cursorRow < first ? [cursorRow, ...rows] : [...rows, cursorRow];
}
