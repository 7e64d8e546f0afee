/** Full-width signs too, which spreadsheets of East Asian locales read as the usual ones. */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * A line of RFC 4180: CRLF, quotes doubled. Text that a spreadsheet would run as a formula (`= + - @`, tab or line end first) gets a
 * leading apostrophe; numbers, negative ones too, stay numbers. Lists and objects are written as JSON.
 */
export function writeCsvLine(values: readonly unknown[]): string {
  return `${values.map(writeCell).join(",")}\r\n`;
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = STARTS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
