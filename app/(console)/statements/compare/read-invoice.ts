import { parseDecimal } from "@/components/form/parse-decimal";
import type { CsvRow } from "@/lib/contract/read-csv";
import { type Nano, parseCheckedAmount } from "@/lib/money/amount";
import { describeDoubt, describeExcess, usesDecimalComma } from "../../doubt-amount";

export const invoiceColumns = ["model", "amount", "date"] as const;
export type InvoiceColumn = (typeof invoiceColumns)[number];
/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type InvoiceMap = Readonly<Record<InvoiceColumn, number | null>>;

export interface InvoiceRow {
  readonly model: string;
  readonly amount: Nano;
}

export interface InvoiceFault {
  /** The line of the file, from 1. */
  readonly line: number;
  /** The title of the column; null if the whole row is at fault. */
  readonly column: string | null;
  readonly message: string;
}

export interface Invoice {
  readonly rows: readonly InvoiceRow[];
  readonly faults: readonly InvoiceFault[];
  /** Number of rows of other months. */
  readonly otherMonths: number;
}

const names: Record<InvoiceColumn, RegExp> = {
  model: /model|sku|line.?item|product|description/i,
  amount: /amount|cost|total|price|charge/i,
  date: /date|day|month|period|start|time/i,
};

/** Guesses the columns from their heads. */
export function guessColumns(head: readonly string[]): InvoiceMap {
  const taken = new Set<number>();
  const find = (column: InvoiceColumn) => {
    const index = head.findIndex((title, place) => !taken.has(place) && names[column].test(title));
    if (index < 0) return null;
    taken.add(index);
    return index;
  };
  return { model: find("model"), amount: find("amount"), date: find("date") };
}

/** Reads the rows below the head that belong to a month (UTC). Without a date column, reads all rows. */
export function readInvoice(
  table: readonly CsvRow[],
  map: InvoiceMap,
  { month, currency, separator }: { month: string; currency: string; separator: string },
): Invoice {
  const [first, ...body] = table;
  const head = first?.cells ?? [];
  const rows: InvoiceRow[] = [];
  const faults: InvoiceFault[] = [];
  let otherMonths = 0;
  const format = { separator, hasDecimalComma: map.amount !== null && usesDecimalComma(body, map.amount) };
  for (const { line, cells } of body) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    const readCell = (column: InvoiceColumn) => cells[map[column] ?? -1]?.trim() ?? "";
    const refuse = (column: InvoiceColumn, message: string) =>
      faults.push({ line, column: head[map[column] ?? -1] ?? column, message });
    const excess = describeExcess(cells, head.length, separator);
    if (excess) {
      faults.push({ line, column: null, message: excess });
      continue;
    }
    const date = map.date === null ? month : monthOfDate(readCell("date"));
    if (date === null) refuse("date", `“${readCell("date")}” is no date. Write it as ${month}-01.`);
    else if (date !== month) {
      otherMonths++;
      continue;
    }
    const model = readCell("model");
    if (model === "") refuse("model", "The model is missing.");
    const amount = readAmount(readCell("amount"), currency);
    // A split amount makes the row too long, and counts may follow an amount: the next cell says nothing.
    const doubt = describeDoubt(readCell("amount").replace(/^[-−]/, ""), "", format);
    if (!amount.ok) refuse("amount", amount.message);
    else if (doubt) refuse("amount", doubt);
    else if (date !== null && model !== "") rows.push({ model, amount: amount.value });
  }
  return { rows, faults, otherMonths };
}

/** Parses an amount. A credit is negative. */
function readAmount(
  text: string,
  currency: string,
): { ok: true; value: Nano } | { ok: false; message: string } {
  const [, sign, magnitude = ""] = /^([-−]?)(.*)$/s.exec(text.trim()) ?? [];
  const parsed = parseDecimal(magnitude, { currency });
  if (!parsed.ok) return { ok: false, message: `“${text}”: ${parsed.message}` };
  return { ok: true, value: parseCheckedAmount(sign ? `-${parsed.value}` : parsed.value) };
}

/** Returns "2026-10" for 2026-10-31 or 2026-10; null for ambiguous formats, which read differently elsewhere. */
function monthOfDate(text: string): string | null {
  const [, month, day = "01"] = /^(\d{4}-(?:0[1-9]|1[0-2]))(?:-(\d{2}))?(?:$|[T ])/.exec(text) ?? [];
  if (month === undefined) return null;
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= lastDay ? month : null;
}
