import "@/components/form/install-plain-messages";
import { parseDecimal } from "@/components/form/parse-decimal";
import { groupDigits } from "@/components/ui/group-digits";
import { paymentDraft } from "@/lib/contract/operations/balance";
import { MAX_IMPORTED_PAYMENTS } from "@/lib/contract/operations/payment-import";
import { type CsvRow, readCsv } from "@/lib/contract/read-csv";
import { writeCsvLine } from "@/lib/contract/write-csv";
import { amountOf, type Nano } from "@/lib/money/amount";

export const paymentColumns = ["amount", "reference", "note"] as const;
export type PaymentColumn = (typeof paymentColumns)[number];
/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type PaymentMap = Readonly<Record<PaymentColumn, number | null>>;

export interface ReadPayment {
  /** The line of the file, from 1. */
  readonly line: number;
  readonly amount: Nano;
  /** The amount as a decimal string. */
  readonly written: string;
  readonly reference: string | null;
  readonly note: string | null;
}

export interface PaymentFault {
  readonly line: number;
  /** The title of the column; null if the whole row is at fault. */
  readonly column: string | null;
  readonly message: string;
}

export interface PaymentFile {
  readonly head: readonly string[];
  readonly map: PaymentMap;
  readonly rows: readonly ReadPayment[];
  readonly faults: readonly PaymentFault[];
}

export const TEMPLATE = [
  writeCsvLine(paymentColumns),
  writeCsvLine(["1,234.50", "Invoice 2026-11", "Paid by Acme for October"]),
  writeCsvLine(["25.00", "Invoice 2026-12", ""]),
].join("");

const names: Record<PaymentColumn, RegExp> = {
  amount: /amount|paid|credit|sum|total|value|betrag|montant|importe|importo|bedrag/i,
  reference: /reference|ref\b|invoice|referenz|rechnung|number/i,
  note: /note|memo|comment|description|purpose|details|text/i,
};

/**
 * Guesses the columns from their titles: the one with exactly that name, or the only one that sounds like it. A column that
 * two titles could mean stays open.
 */
export function guessColumns(head: readonly string[]): PaymentMap {
  const find = (column: PaymentColumn) => {
    const exact = head.findIndex((title) => title.toLowerCase() === column);
    if (exact >= 0) return exact;
    const alike = head.flatMap((title, index) => (names[column].test(title) ? [index] : []));
    return alike.length === 1 ? (alike[0] ?? null) : null;
  };
  const amount = find("amount");
  const free = (index: number | null, ...taken: readonly (number | null)[]) =>
    index !== null && taken.includes(index) ? null : index;
  const reference = free(find("reference"), amount);
  return { amount, reference, note: free(find("note"), amount, reference) };
}

/** Reads a CSV of payments. `chosen` replaces guessed columns. Rows are only read once the amount's column is known. */
export function readPayments(text: string, chosen: Partial<PaymentMap>, currency: string): PaymentFile {
  const { rows: table, brokenLine, separator } = readCsv(text);
  const [first, ...body] = table;
  const head = first?.cells.map((cell) => cell.trim()) ?? [];
  const map = { ...guessColumns(head), ...chosen };
  if (brokenLine !== null) {
    const message = "A quotation mark isn’t closed, or is followed by text. Export the file again as CSV.";
    return { head, map, rows: [], faults: [{ line: brokenLine, column: null, message }] };
  }
  const filled = body.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  if (filled.length > MAX_IMPORTED_PAYMENTS) {
    const line = filled[MAX_IMPORTED_PAYMENTS]?.line ?? 1;
    const message = `The file has ${groupDigits(String(filled.length))} payments, and one import records at most ${groupDigits(String(MAX_IMPORTED_PAYMENTS))}. Split the file.`;
    return { head, map, rows: [], faults: [{ line, column: null, message }] };
  }
  if (map.amount === null) return { head, map, rows: [], faults: [] };
  const reading = { head, map, currency, separator, hasDecimalComma: usesDecimalComma(filled, map.amount) };
  const read = filled.map((row) => readRow(row, reading));
  return {
    head,
    map,
    rows: read.flatMap(({ payment }) => payment ?? []),
    faults: read.flatMap(({ faults }) => faults),
  };
}

interface Reading {
  readonly head: readonly string[];
  readonly map: PaymentMap;
  readonly currency: string;
  readonly separator: string;
  /** Whether an amount of the file can only have a comma as its decimal point. */
  readonly hasDecimalComma: boolean;
}

function readRow(
  { line, cells }: CsvRow,
  reading: Reading,
): { payment?: ReadPayment; faults: PaymentFault[] } {
  const { head, map, currency } = reading;
  const faults: PaymentFault[] = [];
  const refuse = (column: PaymentColumn | null, message: string) =>
    faults.push({ line, column: column && (head[map[column] ?? -1] || column), message });
  const cellOf = (column: PaymentColumn) => cells[map[column] ?? -1]?.trim() ?? "";
  if (cells.slice(head.length).some((cell) => cell.trim() !== "")) {
    const message = `It has ${cells.length} values, and the first line names ${head.length} columns. Put a value that contains “${reading.separator}” in quotation marks.`;
    refuse(null, message);
    return { faults };
  }
  const amount = cellOf("amount");
  const parsed = parseDecimal(amount, { currency });
  const doubt = doubtOf(amount, cells[(map.amount ?? 0) + 1] ?? "", reading);
  if (!parsed.ok)
    refuse("amount", amount === "" ? "The amount is missing." : `“${amount}”: ${parsed.message}`);
  else if (doubt) refuse("amount", doubt);
  else if (!/[1-9]/.test(parsed.value)) refuse("amount", "The amount must be greater than 0.");
  const texts = {
    reference: cellOf("reference") || null,
    note: cellOf("note").replaceAll(/\s+/g, " ") || null,
  };
  for (const column of ["reference", "note"] as const) {
    const { error } = paymentDraft.shape[column].safeParse(texts[column]);
    if (error) refuse(column, `The ${column} ${error.issues[0]?.message ?? "is not valid"}.`);
  }
  if (!parsed.ok || faults.length > 0) return { faults };
  return { payment: { line, amount: amountOf(parsed.value), written: parsed.value, ...texts }, faults };
}

/** Asks back where an amount can mean two, which other rows or the next cell show. */
function doubtOf(amount: string, next: string, { separator, hasDecimalComma }: Reading): string | null {
  if (hasDecimalComma && /^[1-9]\d{0,2},\d{3}$/.test(amount))
    return `“${amount}” can mean two amounts, since other rows have a decimal comma. Write ${amount.replace(",", "")},00 or ${amount}0.`;
  const whole = `${amount},${next.trim()}`;
  if (separator === "," && /^[^\d]*[1-9]\d{0,2},\d{3}(?:\.\d+)?$/.test(whole))
    return `“${whole}” can be one amount with a comma. Put it in quotation marks, or write ${amount}.00.`;
  return null;
}

function usesDecimalComma(rows: readonly CsvRow[], column: number): boolean {
  return rows.some(({ cells }) => /,(?:\d{1,2}|\d{4,})\D*$/.test(cells[column]?.trim() ?? ""));
}
