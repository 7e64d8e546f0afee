import { findMonthSpan } from "@/lib/contract/calendar-month";
import { formatAmount, type Nano, parseCheckedAmount } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { ClockAndRandom } from "../../clock";
import { conflict, invalid, notFound } from "../../refusal";
import type { PaymentPerson } from "../payments/posting";
import type { Statement, StatementReader } from "./statement";
import type { StatementStore } from "./statement-store.sql";

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
function writeFigures(
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

export interface StatementContext extends ChangeContext {
  readonly statements: StatementReader;
  readonly closedStatements: StatementStore;
  readonly runtime: ClockAndRandom;
  readonly organization: { readonly name: string; readonly currency: string };
}

/** @throws Refusal 400 if `month` names no month; 404 for a month without entries. */
export async function findStatement(
  { statements, runtime }: Pick<StatementContext, "statements" | "runtime">,
  month: string,
): Promise<Statement> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    throw invalid("month", `"${month}" is not a month; write year and month, such as 2026-10.`);
  }
  const statement = await statements.findStatement(month, runtime.clock.nowMs());
  if (!statement) throw notFound("statement of the month", month, "month");
  return statement;
}

/**
 * Closes a month for good: its statement never changes afterwards. Months are closed in order, once they are over
 * (UTC).
 * @throws Refusal 400, 404; 409 if the month is closed, not over, or not the next one.
 */
export async function closeStatement(
  context: StatementContext,
  request: ChangeRequest,
  month: string,
  person: PaymentPerson,
): Promise<Statement> {
  const { closedStatements, runtime, organization } = context;
  // A month's entries never change, so they are added up before the store is locked.
  const statement = await findStatement(context, month);
  if (statement.closed) throw isClosed(month);
  const { endMs } = findMonthSpan(month);
  if (runtime.clock.nowMs() < endMs) throw notReady(`${month} is not over: it ends at ${utc(endMs)}.`);
  return change(context, request, async (transaction) => {
    const next = await closedStatements.nextToClose();
    if (!next || month < next.month) throw isClosed(month);
    if (month > next.month) throw notReady(`Close ${next.month} first: months are closed in their order.`);
    const { afterSeq, lastSeq } = statement;
    if (afterSeq !== next.afterSeq) throw notReady(`Entries came in meanwhile. Look at ${month} again.`);
    const figures = writeFigures(statement, { ...organization, previousDigest: next.previousDigest });
    const closing = { atMs: runtime.clock.nowMs(), person, digest: hashFigures(figures) };
    await closedStatements.insert(transaction, { month, afterSeq, lastSeq, figures, closed: closing });
    return { ...statement, closed: closing };
  });
}

function isClosed(month: string) {
  return conflict("month", `${month} is already closed.`, "month_closed");
}

function notReady(message: string) {
  return conflict("month", message, "month_not_ready");
}

/** "2026-11-01 00:00 UTC". */
function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
