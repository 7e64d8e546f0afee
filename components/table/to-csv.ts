export type CsvColumn<Row> = {
  header: string;
  value: (row: Row) => string | number | bigint | boolean | null | undefined;
};

const STARTS_FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * RFC 4180: CRLF, quotes doubled. Text that a spreadsheet would run as a formula (`= + - @`, tab, CR first) gets a leading
 * apostrophe; numbers, negative ones too, stay numbers.
 */
export function toCsv<Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string {
  const lines = [
    columns.map((column) => cell(column.header)),
    ...rows.map((row) => columns.map((column) => cell(column.value(row)))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function cell(value: ReturnType<CsvColumn<unknown>["value"]>): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = STARTS_FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
