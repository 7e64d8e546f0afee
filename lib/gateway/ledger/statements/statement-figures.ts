import { formatAmount, type Nano, parseCheckedAmount } from "@/lib/money/amount";
import type { Statement } from "./statement";

type Stored<Value> = { [Name in keyof Value]: Value[Name] extends Nano ? string : Value[Name] };

/** The text of a closed statement, as JSON: amounts are decimal strings. */
interface Figures
  extends Omit<
    Stored<Statement>,
    "paymentEntries" | "correctionEntries" | "corrections" | "lines" | "closed"
  > {
  readonly organization: string;
  readonly currency: string;
  /** The digest of the month before; null for the first one. */
  readonly previousDigest: string | null;
  readonly paymentEntries: readonly Stored<Statement["paymentEntries"][number]>[];
  /** Absent from months that were closed before there were corrections. */
  readonly corrections?: string;
  readonly correctionEntries?: readonly Stored<Statement["correctionEntries"][number]>[];
  readonly lines: readonly Stored<Statement["lines"][number]>[];
}

/** Serializes a closed statement to the text that its digest covers. */
export function writeFigures(
  statement: Statement,
  {
    name,
    currency,
    previousDigest,
  }: Pick<Figures, "currency" | "previousDigest"> & { readonly name: string },
): string {
  const { month, afterSeq, lastSeq, opening, payments, charges, corrections, closing } = statement;
  const { paymentEntries, correctionEntries, lines } = statement;
  const figures: Figures = {
    organization: name,
    currency,
    previousDigest,
    month,
    afterSeq,
    lastSeq,
    opening: formatAmount(opening),
    payments: formatAmount(payments),
    charges: formatAmount(charges),
    corrections: formatAmount(corrections),
    closing: formatAmount(closing),
    paymentEntries: paymentEntries.map((entry) => ({ ...entry, amount: formatAmount(entry.amount) })),
    correctionEntries: correctionEntries.map((entry) => ({ ...entry, amount: formatAmount(entry.amount) })),
    lines: lines.map((line) => ({ ...line, charges: formatAmount(line.charges) })),
  };
  return JSON.stringify(figures);
}

/** Reads what `writeFigures` wrote. @throws Error for anything else. */
export function readFigures(text: string): Omit<Statement, "closed"> & Pick<Figures, "previousDigest"> {
  const { organization: _organization, currency: _currency, ...figures } = JSON.parse(text) as Figures;
  return {
    ...figures,
    opening: parseCheckedAmount(figures.opening),
    payments: parseCheckedAmount(figures.payments),
    charges: parseCheckedAmount(figures.charges),
    corrections: parseCheckedAmount(figures.corrections ?? "0"),
    closing: parseCheckedAmount(figures.closing),
    paymentEntries: figures.paymentEntries.map((entry) => ({
      ...entry,
      amount: parseCheckedAmount(entry.amount),
    })),
    correctionEntries: (figures.correctionEntries ?? []).map((entry) => ({
      ...entry,
      amount: parseCheckedAmount(entry.amount),
    })),
    lines: figures.lines.map((line) => ({ ...line, charges: parseCheckedAmount(line.charges) })),
  };
}

/** SHA-256 of a statement's text, in hexadecimal. */
export function hashFigures(figures: string): string {
  return new Bun.CryptoHasher("sha256").update(figures).digest("hex");
}
