"use client";

import type { ClipboardEvent, KeyboardEvent } from "react";
import type { EarlyCell } from "@/components/shell/early/early-cells";
import { isComposing } from "@/components/ui/browser/is-composing";
import { countNouns, formatCount } from "@/components/ui/values/group-digits";
import { parseCsv } from "@/lib/contract/csv";
import type { Grid } from "./grid-context";
import {
  type Direction,
  isUsable,
  jump,
  LAST_COLUMN,
  NAMES,
  type Place,
  page,
  rowEdge,
  step,
  toBlock,
} from "./grid-cursor";
import { plainText } from "./limit-cell";
import type { DraftEdit, LimitDraft } from "./limit-draft";
import { applies, limitField, savedValue } from "./limit-pair";
import { planPasteByNames } from "./paste-by-names";
import { type Block, type EditPlan, planFillDown, planFillRight, planPaste, planSet } from "./plan-edits";

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

type PressedKey = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** What the keys of a spreadsheet do in the grid. */
export function createGridKeys(grid: Grid) {
  const { state, draft } = grid;

  function onKeyDown(event: KeyboardEvent): void {
    // The button of a menu has keys of its own.
    if (isComposing(event) || (event.target instanceof Element && event.target.closest("[aria-haspopup]")))
      return;
    if (pressKey(grid, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  function onCopy(event: ClipboardEvent): void {
    if (state.edit() !== null || state.active().column === NAMES) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", writeCopied(draft, selectedBlock(grid)));
  }

  function onCut(event: ClipboardEvent): void {
    if (state.edit() !== null || state.active().column === NAMES) return;
    onCopy(event);
    grid.make(planSet(draft, selectedBlock(grid), "default"), "Cut");
  }

  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData("text/plain");
    const isBlock = /[\t\n]/.test(text.trim());
    if (state.edit() !== null && !isBlock) return;
    event.preventDefault();
    state.endEdit();
    paste(grid, text);
  }

  return { onKeyDown, onCopy, onCut, onPaste };
}

/** Does what was pressed and typed on a cell before the grid took keys. */
export function enterEarlyCell(grid: Grid, { row, column, keys }: EarlyCell): void {
  const { state } = grid;
  if (!isUsable(state.items(), { row, column })) return;
  state.setFocus(true);
  state.move({ row, column });
  for (const key of keys) {
    const text = state.edit()?.text;
    if (key.length === 1 && (key !== " " || text !== undefined)) {
      if (state.active().column !== NAMES && !state.activePair()?.isLocked)
        state.startEdit(`${text ?? ""}${key}`, false);
    } else if (key === "Backspace" && text !== undefined) state.startEdit(text.slice(0, -1), false);
    else pressKey(grid, { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false });
  }
}

/** Ends an edit and keeps its text in the cell, or in the whole selection. */
export function commitEdit(grid: Grid, { inSelection = false } = {}): void {
  const { state, draft } = grid;
  const edit = state.edit();
  const pair = state.activePair();
  if (!edit || !pair) return;
  state.endEdit();
  const block = inSelection ? selectedBlock(grid) : { pairs: [pair], columns: [state.active().column] };
  grid.make(planSet(draft, block, edit.text), "Set");
}

export function selectedBlock({ state }: Grid) {
  return toBlock(state.items(), state.selection());
}

function paste(grid: Grid, text: string): void {
  const { state, draft } = grid;
  const cells = readCopied(text);
  const selection = state.selection();
  const items = state.items();
  const after = toBlock(items, { ...selection, bottom: items.length - 1, right: LAST_COLUMN });
  const plan =
    planPasteByNames(draft, cells, state.pairs()) ??
    planPaste(draft, cells, toBlock(items, selection), after);
  grid.make(plan, "Pasted");
  if (plan.edits.length > 0) selectEdits(grid, plan.edits);
}

/** Selects where the edits are, from the first to the last. */
function selectEdits({ state }: Grid, edits: readonly DraftEdit[]): void {
  const keys = new Set(edits.map(({ pair }) => pair));
  const columns = [...Array(LAST_COLUMN + 1).keys()].filter((column) =>
    edits.some(({ field }) => field === limitField(column).name),
  );
  const rows = state.items().flatMap(({ kind, key }, row) => (kind === "pair" && keys.has(key) ? row : []));
  const [top, bottom] = [rows[0], rows.at(-1)];
  const [left, right] = [columns[0], columns.at(-1)];
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) return;
  const from = { row: top, column: left };
  if (isUsable(state.items(), from)) state.move(from);
  state.move({ row: bottom, column: right }, { extends: true });
}

/** @returns true if the key did something. */
function pressKey(grid: Grid, event: PressedKey): boolean {
  return grid.state.edit() ? pressInEdit(grid, event) : pressOnCell(grid, event);
}

function pressInEdit(grid: Grid, event: PressedKey): boolean {
  const { state } = grid;
  const { key } = event;
  const goOn = (direction: Direction) => {
    const from = state.active();
    commitEdit(grid);
    state.move(step(state.items(), from, direction));
    return true;
  };
  if (key === "Escape") {
    state.endEdit();
    return true;
  }
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) {
    commitEdit(grid, { inSelection: true });
    return true;
  }
  if (key === "Enter") return goOn(event.shiftKey ? "up" : "down");
  if (key === "Tab") return goOn(event.shiftKey ? "left" : "right");
  const arrow = arrows[key];
  if (arrow && !state.edit()?.hasCaret && !event.shiftKey) return goOn(arrow);
  if (key === "F2") {
    state.startEdit(state.edit()?.text ?? "", true);
    return true;
  }
  return false;
}

function pressOnCell(grid: Grid, event: PressedKey): boolean {
  const { state } = grid;
  if (event.ctrlKey || event.metaKey) {
    if (pressWithControl(grid, event)) return true;
  }
  const place = findPlace(grid, event);
  if (place) {
    state.move(place, { extends: event.shiftKey && event.key !== "Tab" });
    return true;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (state.active().column === NAMES) return false;
  return pressOnLimit(grid, event);
}

/** Enter, F2, Delete and Escape on a limit. What is typed reaches the input itself. */
function pressOnLimit(grid: Grid, { key, shiftKey }: PressedKey): boolean {
  const { state, draft } = grid;
  const pair = state.activePair();
  if (!pair) return false;
  if ((key === "Enter" && !shiftKey) || key === "F2") {
    const field = limitField(state.active().column);
    if (!pair.isLocked) state.startEdit(plainText(pair, field, draft.cell(pair.key, field.name)), true);
    return true;
  }
  if (key === "Delete" || key === "Backspace") {
    grid.make(planSet(draft, selectedBlock(grid), "default"), "Set back");
    return true;
  }
  if (key === "Escape") {
    state.move(state.active());
    return true;
  }
  if (key === " " && shiftKey) {
    selectRow(grid);
    return true;
  }
  if (key === "?") {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
    return true;
  }
  return key === " ";
}

function selectRow({ state }: Grid): void {
  const { row } = state.active();
  state.move({ row, column: 0 });
  state.move({ row, column: LAST_COLUMN }, { extends: true });
}

/** Where a key leads; null for keys that don't move. Tab leaves the grid behind the last limit of a row. */
function findPlace({ state, draft }: Grid, event: PressedKey): Place | null {
  const items = state.items();
  const { key } = event;
  const isControl = event.ctrlKey || event.metaKey;
  const from = event.shiftKey && key !== "Tab" ? state.extent() : state.active();
  const arrow = arrows[key];
  if (arrow && event.altKey) return null;
  if (arrow && isControl) return jump(items, from, arrow, (pair) => draft.row(pair));
  if (arrow) return step(items, from, arrow);
  if (key === "Tab" && !isControl && !event.altKey) {
    const next = step(items, state.active(), event.shiftKey ? "left" : "right");
    return next.column === state.active().column ? null : next;
  }
  if (key === "PageDown") return page(items, from, state.rowsInView());
  if (key === "PageUp") return page(items, from, -state.rowsInView());
  if (key === "Home") return isControl ? page(items, { ...from, row: 0 }, 0) : rowEdge(items, from, "left");
  if (key === "End")
    return isControl ? page(items, { ...from, row: items.length - 1 }, 0) : rowEdge(items, from, "right");
  return null;
}

function pressWithControl(grid: Grid, event: PressedKey): boolean {
  const { state, draft } = grid;
  const key = event.key.toLowerCase();
  if (key === "z" || key === "y") {
    const edits = key === "y" || event.shiftKey ? draft.redo() : draft.undo();
    selectEdits(grid, edits);
    return true;
  }
  if (key === "a") {
    state.move(page(state.items(), { row: 0, column: 0 }, 0));
    state.move({ row: state.items().length - 1, column: LAST_COLUMN }, { extends: true });
    return true;
  }
  if (key === "d") {
    fill(grid, "down");
    return true;
  }
  if (key === "r") {
    fill(grid, "right");
    return true;
  }
  if (key === " ") {
    const { column } = state.active();
    state.move(page(state.items(), { row: 0, column }, 0));
    state.move({ row: state.items().length - 1, column }, { extends: true });
    return true;
  }
  if (key === "enter") return fillSelection(grid);
  return false;
}

/** Copies the cell of the cursor into the whole selection. */
function fillSelection(grid: Grid): boolean {
  const { state, draft } = grid;
  const pair = state.activePair();
  const { column } = state.active();
  if (!pair || column === NAMES) return false;
  const field = limitField(column);
  const cell = draft.cell(pair.key, field.name);
  grid.make(planSet(draft, selectedBlock(grid), plainText(pair, field, cell)), "Filled");
  return true;
}

/** Fills from the first row or column of the selection; from the one before it if the selection has a single one. */
function fill(grid: Grid, to: "down" | "right"): void {
  const { state, draft } = grid;
  const selection = state.selection();
  const { pairs, columns } = toBlock(state.items(), selection);
  if (to === "down") {
    const above = pairs.length === 1 ? pairBefore(grid, selection.top) : [];
    return grid.make(planFillDown(draft, { pairs: [...above, ...pairs], columns }), "Filled");
  }
  const before = columns.length === 1 && selection.left > 0 ? [selection.left - 1] : [];
  grid.make(planFillRight(draft, { pairs, columns: [...before, ...columns] }), "Filled");
}

function pairBefore({ state }: Grid, row: number) {
  const item = state
    .items()
    .slice(0, row)
    .findLast(({ kind }) => kind === "pair");
  return item?.kind === "pair" ? [item.pair] : [];
}

/** Says what a plan did and left; null for a single cell, where the eye is anyway. */
export function describePlan(did: string, plan: EditPlan): { text: string; isRefusal: boolean } | null {
  const { edits, skipped, locked, faults, unfit = 0, refusal } = plan;
  if (refusal !== undefined) return { text: refusal, isRefusal: true };
  if (edits.length <= 1 && skipped + locked + unfit === 0) return null;
  const notes = [
    skipped > 0 && `${formatCount(skipped)} left: the limit doesn’t apply to the model`,
    locked > 0 && `${formatCount(locked)} left: you may not change them`,
    unfit > 0 && `${formatCount(unfit)} left: it can’t be done to them`,
    faults > 0 && `${formatCount(faults)} not understood`,
  ].filter((note) => note !== false);
  return { text: [`${did} ${countNouns(edits.length, "cell")}`, ...notes].join(" · "), isRefusal: false };
}

/** Reads what a spreadsheet puts on the clipboard: cells apart by tabs, rows by line ends, with quotes where needed. */
export function readCopied(text: string): readonly (readonly string[])[] {
  const { rows, brokenLine } = parseCsv(text, { separator: "\t", keepsBlank: true });
  // Text with a lone quote comes from elsewhere.
  if (brokenLine !== null) return text.split(/\r?\n/).map((line) => line.split("\t"));
  return rows.map(({ cells }) => cells);
}

/** Writes the block as a spreadsheet takes it. */
export function writeCopied(draft: LimitDraft, { pairs, columns }: Block): string {
  return pairs
    .map((pair) =>
      columns
        .map((column) => {
          const field = limitField(column);
          if (!applies(pair, field)) return "n/a";
          const cell = draft.cell(pair.key, field.name);
          if (cell?.fault !== undefined) return cell.typed.replaceAll(/[\t\n"]/g, " ");
          const value = cell ? cell.to : savedValue(pair, field.name).value;
          return value === null ? "no limit" : String(value);
        })
        .join("\t"),
    )
    .join("\n");
}
