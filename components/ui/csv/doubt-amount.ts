import type { CsvRow } from "@/lib/contract/csv";

interface Format {
  /** The sign between the values of a row. */
  readonly separator: string;
  /** Whether an amount of the file can only have a comma as its decimal point. */
  readonly hasDecimalComma: boolean;
  /** The same of a dot. */
  readonly hasDecimalDot: boolean;
}

const GROUPED = /^\D*([1-9]\d{0,2},\d{3})\D*$/;

/**
 * Returns a question about an amount that can be read in two ways, judged by the other rows, the sign between values,
 * and the next cell; null if it is clear.
 */
export function describeDoubt(
  amount: string,
  next: string,
  { separator, hasDecimalComma, hasDecimalDot }: Format,
): string | null {
  const grouped = GROUPED.exec(amount)?.[1];
  // Values are separated by semicolons or tabs where the comma is the decimal point.
  const isLikelyDecimal = separator !== "," && !hasDecimalDot;
  if (grouped && (hasDecimalComma || isLikelyDecimal)) {
    const why = hasDecimalComma ? ", since other rows have a decimal comma" : "";
    return `“${amount}” can mean two amounts${why}. Write ${grouped.replace(",", "")},00 or ${grouped}0.`;
  }
  const whole = `${amount},${next.trim()}`;
  if (separator === "," && /^[^\d]*[1-9]\d{0,2},\d{3}(?:\.\d+)?$/.test(whole))
    return `“${whole}” can be one amount with a comma. Put it in quotation marks, or write ${amount}.00.`;
  return null;
}

/** How the amounts of a column are written, as far as the rows tell; `column` is null if it isn't known. */
export function findFormat(rows: readonly CsvRow[], column: number | null, separator: string): Format {
  const isUsed = (form: RegExp) =>
    column !== null && rows.some(({ cells }) => form.test(cells[column]?.trim() ?? ""));
  return {
    separator,
    hasDecimalComma: isUsed(/,(?:\d{1,2}|\d{4,})\D*$/),
    hasDecimalDot: isUsed(/\.(?:\d{1,2}|\d{4,})\D*$/),
  };
}

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
