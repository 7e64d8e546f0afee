/** Includes full-width signs, which spreadsheets in East Asian locales treat as the ASCII ones. */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Returns a line in RFC 4180 format: CRLF, quotes doubled. Text that a spreadsheet would run as a formula (starting
 * with `= + - @`, a tab or a line end) gets a leading apostrophe; numbers, including negative ones, stay numbers. Lists
 * and objects are written as JSON.
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
