import type { CsvRow } from "@/lib/contract/read-csv";

interface Format {
  /** The sign between the values of a row. */
  readonly separator: string;
  /** Whether an amount of the file can only have a comma as its decimal point. */
  readonly hasDecimalComma: boolean;
}

/**
 * Says why a row with more values than columns can't be read; null if it has none. An amount with a comma may have been
 * split.
 */
export function describeExcess(cells: readonly string[], columns: number, separator: string): string | null {
  if (cells.slice(columns).every((cell) => cell.trim() === "")) return null;
  return `It has ${cells.length} values, and the first line names ${columns} columns. Put a value that contains “${separator}” in quotation marks.`;
}

export const CUT_OFF =
  "The file ends in the middle of this line. Get the whole file, or complete the line or delete it.";

/**
 * Returns a question about an amount that can be read in two ways, judged by the other rows and the next cell; null if
 * it is clear.
 */
export function describeDoubt(
  amount: string,
  next: string,
  { separator, hasDecimalComma }: Format,
): string | null {
  if (hasDecimalComma && /^[1-9]\d{0,2},\d{3}$/.test(amount))
    return `“${amount}” can mean two amounts, since other rows have a decimal comma. Write ${amount.replace(",", "")},00 or ${amount}0.`;
  const whole = `${amount},${next.trim()}`;
  if (separator === "," && /^[^\d]*[1-9]\d{0,2},\d{3}(?:\.\d+)?$/.test(whole))
    return `“${whole}” can be one amount with a comma. Put it in quotation marks, or write ${amount}.00.`;
  return null;
}

export function usesDecimalComma(rows: readonly CsvRow[], column: number): boolean {
  return rows.some(({ cells }) => /,(?:\d{1,2}|\d{4,})\D*$/.test(cells[column]?.trim() ?? ""));
}
