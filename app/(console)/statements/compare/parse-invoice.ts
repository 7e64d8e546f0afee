import { describeDoubt, describeExcess, findFormat } from "@/components/ui/csv/doubt-amount";
import { parseDecimal } from "@/components/ui/number-fields/parse-number";
import type { CsvRow } from "@/lib/contract/csv";
import { divideRounded, formatAmount, type Nano, parseCheckedAmount, toNano } from "@/lib/money/amount";

const invoiceColumns = ["model", "amount", "date"] as const;
export type InvoiceColumn = (typeof invoiceColumns)[number];
/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type InvoiceMap = Readonly<Record<InvoiceColumn, number | null>>;

export interface InvoiceRow {
  readonly model: string;
  readonly amount: Nano;
}

interface InvoiceFault {
  /** The line of the file, from 1. */
  readonly line: number;
  /** The title of the column; null if the whole row is at fault. */
  readonly column: string | null;
  readonly message: string;
}

export interface Invoice {
  readonly rows: readonly InvoiceRow[];
  readonly faults: readonly InvoiceFault[];
  /** Number of rows of other months, and of rows that sum others. Both are left out. */
  readonly otherMonths: number;
  readonly sums: number;
  /** Number of amounts that had more than nine decimals. */
  readonly rounded: number;
}

/** The titles of each column, from the surest to the least sure one. */
const names: Record<InvoiceColumn, readonly RegExp[]> = {
  model: [/model/i, /sku|line.?item|product/i, /description|resource|service/i],
  amount: [/^(?:amount|cost)\b|amount_value/i, /amount|cost/i, /total|charge|price|betrag/i],
  date: [/date|day|iso/i, /month|period|datum/i, /start|time/i],
};
/** Titles that sound like an amount and hold another number: a price of one, a currency, a count. */
const OTHER_NUMBERS = /unit|each|per\b|rate|currency|tokens?\b|quantity|count|tax|vat|discount/i;
/** A row that sums the others. */
const SUM = /^(?:(?:sub|grand)[ -]?)?(?:totals?|summe|gesamt)\b/i;

/** Guesses the columns from their heads. */
export function guessColumns(head: readonly string[]): InvoiceMap {
  const taken = new Set<number>();
  const find = (column: InvoiceColumn) => {
    for (const name of names[column]) {
      const index = head.findIndex(
        (title, at) =>
          !taken.has(at) && name.test(title) && !(column === "amount" && OTHER_NUMBERS.test(title)),
      );
      if (index < 0) continue;
      taken.add(index);
      return index;
    }
    return null;
  };
  return { model: find("model"), amount: find("amount"), date: find("date") };
}

/** Reads the rows below the head that belong to a month (UTC). Without a date column, reads all rows. */
export function parseInvoice(
  table: readonly CsvRow[],
  map: InvoiceMap,
  { month, currency, separator }: { month: string; currency: string; separator: string },
): Invoice {
  const [first, ...body] = table;
  const head = first?.cells ?? [];
  const invoice = { rows: [] as InvoiceRow[], faults: [] as InvoiceFault[] };
  const counts = { otherMonths: 0, sums: 0, rounded: 0 };
  const format = findFormat(body, map.amount, separator);
  const order = detectDateOrder(body.map(({ cells }) => cells[map.date ?? -1] ?? ""));
  for (const { line, cells } of body) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    const readCell = (column: InvoiceColumn) => cells[map[column] ?? -1]?.trim() ?? "";
    const refuse = (column: InvoiceColumn, message: string) =>
      invoice.faults.push({ line, column: head[map[column] ?? -1] ?? column, message });
    const excess = describeExcess(cells, head.length, separator);
    if (excess) {
      invoice.faults.push({ line, column: null, message: excess });
      continue;
    }
    const model = readCell("model");
    if (SUM.test(model) || (model === "" && SUM.test(cells.find((cell) => cell.trim())?.trim() ?? ""))) {
      counts.sums++;
      continue;
    }
    const date = map.date === null ? month : findMonth(readCell("date"), order);
    if (date === null) refuse("date", describeDate(readCell("date"), month));
    else if (date !== month) {
      counts.otherMonths++;
      continue;
    }
    if (model === "") refuse("model", "The model is missing.");
    const amount = parseInvoiceAmount(readCell("amount"), currency);
    // A split amount makes the row too long, and counts may follow an amount: the next cell says nothing.
    const doubt = describeDoubt(splitSign(readCell("amount")).magnitude, "", format);
    if (!amount.ok) refuse("amount", amount.message);
    else if (doubt) refuse("amount", doubt);
    else if (date !== null && model !== "") {
      invoice.rows.push({ model, amount: amount.value });
      if (amount.isRounded) counts.rounded++;
    }
  }
  return { ...invoice, ...counts };
}

function describeDate(text: string, month: string): string {
  if (text === "") return "The date is missing.";
  if (/^\d{1,2}[/-]\d{1,2}[/-]\d{4}/.test(text))
    return `“${text}” can mean two days. Write it as ${month}-01.`;
  return `“${text}” is not a date. Write it as ${month}-01.`;
}

const PLACES = 9;

const NEGATIVE = /^\((.+)\)$|^[-−](.+)$|^([^\d−-]+)[-−](.+)$|^(.+)[-−]$/s;

const EXPONENT = /^(\d+)(?:\.(\d+))?e([+-]?\d{1,2})$/i;

const LONG = /^([^\d.]*)(\d*)\.(\d{10,40})([^\d.]*)$/s;

type ParsedAmount = { ok: true; value: Nano; isRounded: boolean } | { ok: false; message: string };

/** Separates an amount from its sign, as invoices write credits: -2.00, −2.00, $-2.00, (2.00) or 2.00-. */
function splitSign(text: string): { isNegative: boolean; magnitude: string } {
  const [isNegative, bracketed, after, mark = "", behindMark, before] = NEGATIVE.exec(text.trim()) ?? [];
  if (!isNegative) return { isNegative: false, magnitude: text.trim() };
  return { isNegative: true, magnitude: (bracketed ?? after ?? before ?? `${mark}${behindMark}`).trim() };
}

/**
 * Reads an amount of an invoice. Providers export more than nine decimals, and exponents; both are rounded to nine
 * decimals.
 */
function parseInvoiceAmount(text: string, currency: string): ParsedAmount {
  const { isNegative, magnitude } = splitSign(text);
  const { short, isRounded } = shorten(expandExponent(magnitude));
  const parsed = parseDecimal(short, { currency });
  if (!parsed.ok) return { ok: false, message: `“${text}”: ${parsed.message}` };
  return { ok: true, value: parseCheckedAmount(isNegative ? `-${parsed.value}` : parsed.value), isRounded };
}

/** 1.5e-5 → 0.000015. */
function expandExponent(text: string): string {
  const [, whole, fraction = "", exponent] = EXPONENT.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  return `${digits.padEnd(point, "0").slice(0, point)}.${digits.slice(point) || "0"}`;
}

function shorten(text: string): { short: string; isRounded: boolean } {
  const [, mark, whole = "", fraction = "", behind] = LONG.exec(text) ?? [];
  if (mark === undefined) return { short: text, isRounded: false };
  const nano = divideRounded(BigInt(whole + fraction), 10n ** BigInt(fraction.length - PLACES));
  const isRounded = /[1-9]/.test(fraction.slice(PLACES));
  return { short: `${mark}${formatAmount(toNano(nano))}${behind}`, isRounded };
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Two numbers and a year. A dot is written between a day and a month, in this order. */
const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:$|[T ,])/;

const ISO = /^(\d{4})([-/.]?)(\d{2})(?:\2(\d{2}))?(?:$|[T ])/;

const SECONDS_DIGITS = 10;

/** The order of a date's numbers, such as 31/10/2026 or 10/31/2026. */
type DateOrder = "day first" | "month first";

/** Finds the order that a column of dates uses; null if its dates don't show it, or contradict each other. */
function detectDateOrder(dates: readonly string[]): DateOrder | null {
  const shown = new Set<DateOrder>();
  for (const text of dates) {
    const [, first, separator, second] = NUMBERS.exec(text.trim()) ?? [];
    if (separator === "." || Number(first) > 12) shown.add("day first");
    else if (Number(second) > 12) shown.add("month first");
  }
  const [order] = shown;
  return shown.size === 1 && order ? order : null;
}

/**
 * Returns the month of a date in UTC, such as "2026-10". Reads 2026-10-31, 2026-10, 20261031, 31.10.2026, 10/31/2026,
 * 31 Oct 2026, October 2026 and Unix seconds or milliseconds. Null for others, and for one that means two days.
 */
function findMonth(text: string, order: DateOrder | null): string | null {
  if (/^\d{10}(?:\d{3})?$/.test(text)) {
    return new Date(Number(text.slice(0, SECONDS_DIGITS)) * 1000).toISOString().slice(0, 7);
  }
  const [, year, separator, month, day] = ISO.exec(text) ?? [];
  if (year && !(separator === "" && day === undefined)) return monthIn(year, Number(month), day);
  return parseNumericMonth(text, order) ?? parseNamedMonth(text);
}

function parseNumericMonth(text: string, order: DateOrder | null): string | null {
  const [, first = "", separator, second = "", year = ""] = NUMBERS.exec(text) ?? [];
  const known = separator === "." || first === second ? "day first" : order;
  if (known === null) return null;
  return known === "day first" ? monthIn(year, Number(second), first) : monthIn(year, Number(first), second);
}

function parseNamedMonth(text: string): string | null {
  const [, dayBefore, name = "", dayAfter, year = ""] =
    /^(?:(\d{1,2})[ -])?([A-Za-z]{3,9})\.?(?:[ -](\d{1,2})(?:,|(?= )))?[ -]+(\d{4})$/.exec(text) ?? [];
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  return index < 0 ? null : monthIn(year, index + 1, dayBefore ?? dayAfter);
}

/** Null if the month doesn't have the day. */
function monthIn(year: string, month: number, day = "1"): string | null {
  const lastDay = new Date(Date.UTC(Number(year), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  return isDay ? `${year}-${String(month).padStart(2, "0")}` : null;
}
