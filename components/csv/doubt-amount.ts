import type { CsvRow } from "@/lib/contract/parse-csv";

interface Format {
  /** The sign between the values of a row. */
  readonly separator: string;
  /** Whether an amount of the file can only have a comma as its decimal point. */
  readonly hasDecimalComma: boolean;
}

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
