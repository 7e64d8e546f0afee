import { findMonthSpan } from "@/lib/contract/calendar-month";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Effects } from "../../effects";
import { conflict, invalid, notFound } from "../../refusal";
import type { PaymentPerson } from "../payments/pending-payment";
import type { Statement, StatementReader, StatementStore } from "./statement";
import { hashFigures, writeFigures } from "./statement-figures";

export interface StatementContext extends ChangeContext {
  readonly statements: StatementReader;
  readonly closedStatements: StatementStore;
  readonly effects: Effects;
  readonly organization: { readonly name: string; readonly currency: string };
}

/** @throws Refusal 400 if `month` names no month; 404 for a month without entries. */
export async function findStatement(
  { statements, effects }: Pick<StatementContext, "statements" | "effects">,
  month: string,
): Promise<Statement> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    throw invalid("month", `"${month}" is not a month; write year and month, such as 2026-10.`);
  }
  const statement = await statements.findStatement(month, effects.clock.nowMs());
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
  const { closedStatements, effects, organization } = context;
  // A month's entries never change, so they are added up before the store is locked.
  const statement = await findStatement(context, month);
  if (statement.closed) throw isClosed(month);
  const { endMs } = findMonthSpan(month);
  if (effects.clock.nowMs() < endMs) throw notReady(`${month} is not over: it ends at ${utc(endMs)}.`);
  return change(context, request, async (transaction) => {
    const next = await closedStatements.nextToClose();
    if (!next || month < next.month) throw isClosed(month);
    if (month > next.month) throw notReady(`Close ${next.month} first: months are closed in their order.`);
    const { afterSeq, lastSeq } = statement;
    if (afterSeq !== next.afterSeq) throw notReady(`Entries came in meanwhile. Look at ${month} again.`);
    const figures = writeFigures(statement, { ...organization, previousDigest: next.previousDigest });
    const closing = { atMs: effects.clock.nowMs(), person, digest: hashFigures(figures) };
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
