"use client";

import { type CSSProperties, useSyncExternalStore } from "react";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { useGrid } from "./grid-context";
import { NAMES, type Selection } from "./grid-cursor";

/** The frame around the selection, with the handle that fills. Drawn above the cells, so that none renders again. */
export function SelectionBox({ rowHeight }: { rowHeight: number }) {
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
