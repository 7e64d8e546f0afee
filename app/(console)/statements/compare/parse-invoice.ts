import { describeDoubt, findFormat } from "@/components/ui/csv/doubt-amount";
import { describeExcess } from "@/components/ui/csv/row-faults";
import type { CsvRow } from "@/lib/contract/parse-csv";
import type { Nano } from "@/lib/money/amount";
import { parseInvoiceAmount, splitSign } from "./invoice-amounts";
import { detectDateOrder, findMonth } from "./invoice-dates";

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
  return `“${text}” is no date. Write it as ${month}-01.`;
}
