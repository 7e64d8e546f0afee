/** A record of a CSV. */
export interface CsvRow {
  /** The line on which the record begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface Csv {
  readonly rows: readonly CsvRow[];
  /** The line of a quote that isn't closed or is followed by text; reading stops there. Null if everything was read. */
  readonly brokenLine: number | null;
  /**
   * The last line if the file seems to be cut off in it: it is shorter than all others, and not ended. Otherwise null.
   */
  readonly cutLine: number | null;
  readonly separator: CsvSeparator;
}

const SEPARATORS = [",", ";", "\t"] as const;
type CsvSeparator = (typeof SEPARATORS)[number];
/** The apostrophe that `write-csv.ts` puts before text that a spreadsheet would run as a formula. */
const DISARMED = /^'(?=[=+\-@\t\r\n＝＋－＠])/;

interface CsvOptions {
  /** Reading stops after so many rows. */
  readonly rows?: number;
  /** The most frequent of comma, semicolon and tab in the first line if it isn't given. */
  readonly separator?: CsvSeparator;
  /** Set where a blank line is a row of one empty cell. They are skipped otherwise. */
  readonly keepsBlank?: boolean;
}

/** Parses CSV (RFC 4180) with any line ends. Removes the apostrophe before a formula. */
export function parseCsv(text: string, options: CsvOptions = {}): Csv {
  const normalizedText = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const { rows: maxRows = Number.POSITIVE_INFINITY, keepsBlank = false } = options;
  const { separator = detectSeparator(normalizedText) } = options;
  const cellPattern = new RegExp(
    `[ ]*"([^"]*(?:""[^"]*)*)"[ ]*(?=[${separator}\\n]|$)|([^"${separator}\\n][^${separator}\\n]*)?(?=[${separator}\\n]|$)`,
    "y",
  );
  const rows: CsvRow[] = [];
  let [line, at] = [1, 0];
  while (at < normalizedText.length && rows.length < maxRows) {
    const began = line;
    const cells: string[] = [];
    for (;;) {
      const cell = readCell(normalizedText, at, cellPattern);
      if (!cell) return { rows, brokenLine: line, cutLine: null, separator };
      cells.push(cell.text.replace(DISARMED, ""));
      line += normalizedText.slice(at, cell.end).split("\n").length - 1;
      at = cell.end + 1;
      if (normalizedText[cell.end] !== separator) break;
    }
    line++;
    if (keepsBlank || cells.length > 1 || cells[0]?.trim()) rows.push({ line: began, cells });
  }
  return { rows, brokenLine: null, cutLine: findCutLine(normalizedText, rows), separator };
}

/** A file of one row shows too little of how long rows are. */
function findCutLine(text: string, rows: readonly CsvRow[]): number | null {
  const last = rows.at(-1);
  const others = rows.slice(0, -1);
  if (!last || others.length < 2 || text.endsWith("\n")) return null;
  return others.every(({ cells }) => cells.length > last.cells.length) ? last.line : null;
}

function detectSeparator(text: string): CsvSeparator {
  const [line = ""] = text.replaceAll(/"(?:[^"]|"")*"/g, "").split("\n", 1);
  const count = (separator: CsvSeparator) => line.split(separator).length;
  return SEPARATORS.reduce<CsvSeparator>((best, other) => (count(other) > count(best) ? other : best), ",");
}

/** @returns the cell that begins at `at`, and the position after it; null if its quotes are malformed. */
function readCell(text: string, at: number, pattern: RegExp): { text: string; end: number } | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return null;
  return { text: match[1]?.replaceAll('""', '"') ?? match[2] ?? "", end: at + match[0].length };
}

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
