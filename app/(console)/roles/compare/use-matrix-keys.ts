"use client";

import { type KeyboardEvent, useEffect, useRef } from "react";

const CELL = "[data-matrix-cell]";

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Arrows move from cell to cell, of which one is a tab stop; Home and End go to the row's ends, and C pins the role.
 */
export function useMatrixKeys(pin: (roleId: string) => void) {
  const table = useRef<HTMLTableElement>(null);
  const listRows = () =>
    [...(table.current?.tBodies ?? [])]
      .flatMap((body) => [...body.rows])
      .map((row) => [...row.querySelectorAll<HTMLElement>(CELL)])
      .filter((cells) => cells.length > 0);

  // Always one tab stop, whatever is shown.
  useEffect(() => {
    const cells = listRows().flat();
    if (!cells.some((cell) => cell.tabIndex === 0)) cells[0]?.setAttribute("tabindex", "0");
  });

  function focus(cell: HTMLElement | undefined) {
    if (!cell) return;
    for (const one of listRows().flat()) one.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(CELL) : null;
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = listRows();
    const y = rows.findIndex((cells) => cells.includes(cell));
    const row = rows[y] ?? [];
    const x = row.indexOf(cell);
    const step = steps[event.key];
    if (event.key === "c" || event.key === "C") pin(cell.dataset.matrixCell ?? "");
    else if (event.key === "Home") focus(row[0]);
    else if (event.key === "End") focus(row.at(-1));
    else if (step) focus(rows[y + step[0]]?.[x + step[1]]);
    else return;
    event.preventDefault();
  }
  return { ref: table, onKeyDown };
}
