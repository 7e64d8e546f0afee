"use client";

import type { PointerEvent } from "react";
import type { Grid } from "./grid-context";
import { isUsable, NAMES, type Place, selectBetween, toBlock } from "./grid-cursor";
import { plainText } from "./limit-cell";
import { limitField } from "./limit-pair";
import { planFillDown, planFillRight } from "./plan-edits";
import { commitEdit } from "./use-grid-keys";

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
export function createPointer(grid: Grid) {
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
