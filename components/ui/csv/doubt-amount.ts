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
