import { newLocalId } from "@/components/playground/panes/pane";
import { MAX_CASES, MAX_VALUE_LENGTH } from "@/lib/contract/operations/playground/prompts";
import type { TypedCase } from "./case-values";

/** The cells of text that a spreadsheet copies; null for text of one cell, which may have lines of its own. */
export function readCells(text: string): string[][] | null {
  if (!text.includes("\t")) return null;
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t"));
}

/** Fills cells to the right of and below a cell, and adds the cases that are missing below. */
export function pasteCells(
  cases: readonly TypedCase[],
  names: readonly string[],
  at: { readonly row: number; readonly name: string },
  cells: readonly (readonly string[])[],
): TypedCase[] {
  const column = names.indexOf(at.name);
  const height = Math.min(Math.max(cases.length, at.row + cells.length), MAX_CASES);
  return Array.from({ length: height }, (_, row) => {
    const present = cases[row] ?? { key: newLocalId(), variables: {}, checks: [] };
    const pasted = cells[row - at.row] ?? [];
    const values = pasted.flatMap((value, index) => {
      const name = names[column + index];
      return name === undefined ? [] : [[name, value.slice(0, MAX_VALUE_LENGTH)] as const];
    });
    return { ...present, variables: { ...present.variables, ...Object.fromEntries(values) } };
  });
}
