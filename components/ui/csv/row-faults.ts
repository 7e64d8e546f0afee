/**
 * Says why a row with more values than columns can't be read; null if it has none. An amount with a comma may have been
 * split.
 */
export function describeExcess(cells: readonly string[], columns: number, separator: string): string | null {
  if (cells.slice(columns).every((cell) => cell.trim() === "")) return null;
  return `${compareWidths(cells, columns)} Put a value that contains “${separator}” in quotation marks.`;
}

/** Says that a row has fewer values than columns; null if it has enough. */
export function describeLack(cells: readonly string[], columns: number): string | null {
  return cells.length < columns ? compareWidths(cells, columns) : null;
}

function compareWidths({ length }: readonly string[], columns: number): string {
  const values = length === 1 ? "1 value" : `${length} values`;
  return `It has ${values}, and the first line names ${columns === 1 ? "1 column" : `${columns} columns`}.`;
}

export const CUT_OFF =
  "The file ends in the middle of this line. Get the whole file, or complete the line or delete it.";
