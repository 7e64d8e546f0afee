import "@/components/ui/fields/install-plain-messages";
import { CUT_OFF, describeDoubt, describeExcess, findFormat } from "@/components/ui/csv/doubt-amount";
import { parseDecimal } from "@/components/ui/number-fields/parse-number";
import { MAX_IMPORTED_PAYMENTS } from "@/lib/contract/bounds";
import { type CsvRow, parseCsv } from "@/lib/contract/csv";
import { paymentDraft } from "@/lib/contract/operations/money/payments";
import { isZeroDecimal, parseCheckedAmount } from "@/lib/money/amount";
import type { ParsedPayment, PaymentColumn } from "./plan-import";

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type PaymentMap = Readonly<Record<PaymentColumn, number | null>>;

export interface PaymentFault {
  readonly line: number;
  /** The title of the column; null if the whole row is at fault. */
  readonly column: string | null;
  readonly message: string;
}

interface PaymentFile {
  readonly head: readonly string[];
  readonly map: PaymentMap;
  readonly rows: readonly ParsedPayment[];
  readonly faults: readonly PaymentFault[];
  /** The number of payments if one import can't record so many; they are not parsed then. Otherwise null. */
  readonly tooMany: number | null;
}

const names: Record<PaymentColumn, RegExp> = {
  amount: /amount|paid(?![ _]on)|credit|sum|total|value|betrag|montant|importe|importo|bedrag/i,
  reference: /reference|ref\b|invoice|referenz|rechnung|number/i,
  note: /note|memo|comment|description|purpose|details|text/i,
  paid_on: /date|paid on|datum|valuta|fecha|data\b/i,
};

/**
 * Guesses the columns from their titles: the one with exactly that name, or the only one that sounds like it. A column
 * that two titles could mean stays open.
 */
export function guessColumns(head: readonly string[]): PaymentMap {
  const find = (column: PaymentColumn) => {
    const findIndexes = (isMeant: (title: string) => boolean) =>
      head.flatMap((title, index) => (isMeant(title) ? [index] : []));
    const exact = findIndexes((title) => title.toLowerCase() === column);
    const meant = exact.length > 0 ? exact : findIndexes((title) => names[column].test(title));
    return meant.length === 1 ? (meant[0] ?? null) : null;
  };
  const amount = find("amount");
  const free = (index: number | null, ...taken: readonly (number | null)[]) =>
    index !== null && taken.includes(index) ? null : index;
  const reference = free(find("reference"), amount);
  const note = free(find("note"), amount, reference);
  return { amount, reference, note, paid_on: free(find("paid_on"), amount, reference, note) };
}

/**
 * Parses a CSV of payments, its rows only once the column of the amount is known. `chosen` replaces guessed columns.
 */
export function parsePayments(text: string, chosen: Partial<PaymentMap>, currency: string): PaymentFile {
  const { rows: table, brokenLine, cutLine, separator } = parseCsv(text);
  const [first, ...body] = table;
  const head = first?.cells.map((cell) => cell.trim()) ?? [];
  const map = { ...guessColumns(head), ...chosen };
  if (brokenLine !== null) {
    const message = "A quotation mark isn’t closed, or is followed by text. Export the file again as CSV.";
    return { head, map, rows: [], faults: [{ line: brokenLine, column: null, message }], tooMany: null };
  }
  const filled = body.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (filled.length > MAX_IMPORTED_PAYMENTS) {
    return { head, map, rows: [], faults: [], tooMany: filled.length };
  }
  if (map.amount === null) return { head, map, rows: [], faults: [], tooMany: null };
  const paymentTable = {
    head,
    map,
    currency,
    format: findFormat(filled, map.amount, separator),
    dayOrder: findDayOrder(filled.map(({ cells }) => cells[map.paid_on ?? -1] ?? "")),
  };
  const parsedRows = filled.map(
    (row): ReturnType<typeof parseRow> =>
      row.line === cutLine
        ? { faults: [{ line: row.line, column: null, message: CUT_OFF }] }
        : parseRow(row, paymentTable),
  );
  return {
    head,
    map,
    rows: parsedRows.flatMap(({ payment }) => payment ?? []),
    faults: parsedRows.flatMap(({ faults }) => faults),
    tooMany: null,
  };
}

interface PaymentTable {
  readonly head: readonly string[];
  readonly map: PaymentMap;
  readonly currency: string;
  readonly format: ReturnType<typeof findFormat>;
  readonly dayOrder: DayOrder;
}

function parseRow(
  { line, cells }: CsvRow,
  paymentTable: PaymentTable,
): { payment?: ParsedPayment; faults: PaymentFault[] } {
  const { head, map, currency, format, dayOrder } = paymentTable;
  const faults: PaymentFault[] = [];
  const refuse = (column: PaymentColumn | null, message: string) =>
    faults.push({ line, column: column && (head[map[column] ?? -1] || column), message });
  const readCell = (column: PaymentColumn) => cells[map[column] ?? -1]?.trim() ?? "";
  const excess = describeExcess(cells, head.length, format.separator);
  if (excess) {
    refuse(null, excess);
    return { faults };
  }
  const amount = readCell("amount");
  const parsed = parseDecimal(amount, { currency });
  const doubt = describeDoubt(amount, cells[(map.amount ?? 0) + 1] ?? "", format);
  if (!parsed.ok)
    refuse("amount", amount === "" ? "The amount is missing." : `“${amount}”: ${parsed.message}`);
  else if (doubt) refuse("amount", doubt);
  else if (isZeroDecimal(parsed.value)) refuse("amount", "The amount must be greater than 0.");
  const texts = {
    reference: readCell("reference").replaceAll(/\s+/g, " ") || null,
    note: readCell("note").replaceAll(/\s+/g, " ") || null,
  };
  for (const column of ["reference", "note"] as const) {
    const { error } = paymentDraft.shape[column].safeParse(texts[column]);
    if (error) refuse(column, `The ${column} ${error.issues[0]?.message ?? "is not valid"}.`);
  }
  const typedDay = readCell("paid_on");
  const paidOn = typedDay === "" ? null : parseDay(typedDay, dayOrder);
  if (paidOn === "unclear")
    refuse("paid_on", `“${typedDay}” may be two days. Write it as 2026-11-30, the year first.`);
  else if (typedDay !== "" && paidOn === null)
    refuse("paid_on", `“${typedDay}” is not a day. Write it as 2026-11-30.`);
  if (!parsed.ok || faults.length > 0) return { faults };
  return {
    payment: { line, amount: parseCheckedAmount(parsed.value), written: parsed.value, ...texts, paidOn },
    faults,
  };
}

/** What the first number of `03/11/2026` is, by the other rows; `unclear` if no row tells. */
type DayOrder = "day first" | "month first" | "unclear";

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;
const NAMED = /^(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ -](\d{4})$/i;
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A number above 12 is no month, so one row with it tells for all. */
function findDayOrder(column: readonly string[]): DayOrder {
  const parts = column.flatMap((text) => {
    const [, first, second] = SLASHES.exec(text.trim()) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  const isDayFirst = parts.some(([first]) => first > 12);
  const isMonthFirst = parts.some(([, second]) => second > 12);
  if (isDayFirst === isMonthFirst) return "unclear";
  return isDayFirst ? "day first" : "month first";
}

/**
 * Reads a day as people and banks write it: `2026-11-30`, `30.11.2026`, `30 Nov 2026`, `30/11/2026`.
 * @returns `2026-11-30`; null if it is no day of the calendar; `unclear` if it may be two.
 */
function parseDay(text: string, order: DayOrder): string | "unclear" | null {
  const [, isoYear, isoMonth, isoDay] = ISO.exec(text) ?? [];
  if (isoYear) return writeDay(isoYear, Number(isoMonth), Number(isoDay));
  const [, pointDay, pointMonth, pointYear] = POINTS.exec(text) ?? [];
  if (pointYear) return writeDay(pointYear, Number(pointMonth), Number(pointDay));
  const [, namedDay, name = "", namedYear] = NAMED.exec(text) ?? [];
  if (namedYear) return writeDay(namedYear, MONTHS.indexOf(name.toLowerCase()) + 1, Number(namedDay));
  const [, first, second, year] = SLASHES.exec(text) ?? [];
  if (!year) return null;
  if (order === "unclear" && first !== second) return "unclear";
  const [day, month] = order === "month first" ? [second, first] : [first, second];
  return writeDay(year, Number(month), Number(day));
}

function writeDay(year: string, month: number, day: number): string | null {
  const written = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const at = Date.parse(`${written}T00:00:00Z`);
  // 31 February becomes a day of March, or none.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== written ? null : written;
}
