import { findMonthSpan, formatMonth } from "@/lib/contract/calendar-month";
import { type Nano, parseCheckedAmount, readNano, toNano, ZERO } from "@/lib/money/amount";
import type { Reads } from "../../database/database";
import { dialectOf, sql } from "../../database/fragment";
import type { Tables } from "../../database/schema";
import { CLOCK_STEP_MS, findFirstSince, isRareKind, type RareKind } from "../reads/ledger-conditions.sql";
import type {
  Closing,
  Statement,
  StatementCorrection,
  StatementHead,
  StatementPayment,
  StatementReader,
  StatementSums,
} from "./statement";
import { findNextStatement } from "./statement-store.sql";
import { readFigures } from "./statements";
import { LineSums } from "./sum-lines.sql";

/** The open months that people look at: the present one, and the last until it is closed. */
const PREPARED_MONTHS = 2;

/** A reader that sums charges in advance, so that nobody waits for a whole month to be summed. */
interface PreparedStatementReader extends StatementReader {
  /** Awaits `pause` after each step, which returns whether to continue. */
  prepare(nowMs: number, pause: () => Promise<boolean>): Promise<void>;
}

/** Reads statements: closed months as stored, and open months summed from their entries. */
export function createStatementReader(reads: Reads): PreparedStatementReader {
  const lines = new LineSums(reads);
  return {
    async prepare(nowMs, pause) {
      const spans = (await openMonths(reads, formatMonth(nowMs))).slice(-PREPARED_MONTHS).toReversed();
      for (const { afterSeq, lastSeq } of spans) {
        while (await lines.prepare(afterSeq, lastSeq)) if (!(await pause())) return;
      }
    },
    async listStatements(nowMs) {
      const openStatements = (await openMonths(reads, formatMonth(nowMs))).map(async (span) => ({
        ...(await sumMonth(reads, span)),
        closed: null,
      }));
      return [...(await Promise.all(openStatements)).toReversed(), ...(await listClosed(reads))];
    },
    async findStatement(month, nowMs) {
      const closedStatement = await findClosed(reads, month);
      if (closedStatement) return closedStatement;
      const span = (await openMonths(reads, formatMonth(nowMs))).find(
        (openMonth) => openMonth.month === month,
      );
      if (!span) return null;
      const names = await projectNames(reads);
      const findName = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
      const sums = await lines.sum(span.afterSeq, span.lastSeq);
      const corrections = await listCorrections(reads, span);
      return {
        ...(await sumMonth(reads, span)),
        closed: null,
        paymentEntries: await listPayments(reads, span),
        correctionEntries: corrections.map((entry) => ({ ...entry, projectName: findName(entry.projectId) })),
        lines: sums.map((sum) => ({ ...sum, projectName: findName(sum.projectId) })),
      };
    },
  };
}

/**
 * Returns the open months with their entries, oldest first. A month has the entries up to the last one dated before its
 * end. Since clocks of processes may differ, single entries may be dated later.
 */
async function openMonths(reads: Reads, current: string): Promise<readonly Span[]> {
  const next = await findNextStatement(reads);
  const spans: Span[] = [];
  if (!next) return spans;
  let { month, afterSeq } = next;
  for (; month <= current; month = formatMonth(findMonthSpan(month).endMs)) {
    const lastSeq = Math.max(
      afterSeq,
      month === current
        ? await readLastEntry(reads)
        : await readLastBefore(reads, findMonthSpan(month).endMs),
    );
    spans.push({ month, afterSeq, lastSeq });
    afterSeq = lastSeq;
  }
  return spans;
}

async function readLastBefore(reads: Reads, ms: number): Promise<number> {
  const until = await findFirstSince(reads, ms + CLOCK_STEP_MS);
  const row = await reads
    .selectFrom("ledger_entries")
    .select("seq")
    .where("seq", "<", until)
    .where("created_at_ms", "<", ms)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

async function readLastEntry(reads: Reads): Promise<number> {
  const row = await reads.selectFrom("ledger_entries").select("seq").orderBy("seq", "desc").limit(1);
  return (await row.executeTakeFirst())?.seq ?? 0;
}

/**
 * Charges are computed as the change of the balance minus payments and corrections, so that no charge has to be read.
 */
async function sumMonth(reads: Reads, span: Span): Promise<StatementSums> {
  const [opening, closing] = [
    await readBalanceAt(reads, span.afterSeq),
    await readBalanceAt(reads, span.lastSeq),
  ];
  const payments = await sumKind(reads, "payment", span);
  const corrections = await sumKind(reads, "correction", span);
  const charges = sumMonthCharges({ opening, payments, corrections, closing });
  return { ...span, opening, payments, charges, corrections, closing };
}

async function readBalanceAt(reads: Reads, seq: number): Promise<Nano> {
  if (seq === 0) return ZERO;
  const { balance } = await reads
    .selectFrom("ledger_entries")
    .select(sql<string | null>`cast(balance_after AS text)`.as("balance"))
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();
  if (balance === null) throw new Error(`The ledger's entry ${seq} does not say what the balance came to`);
  return readNano(balance);
}

async function listPayments(reads: Reads, span: Span): Promise<StatementPayment[]> {
  const rows = await selectByKind(reads, "payment", span)
    .select(["id", "created_at_ms", "reference", sql<string>`cast(amount AS text)`.as("amount")])
    .orderBy("seq")
    .execute();
  return rows.map(({ id, created_at_ms, reference, amount }) => ({
    id,
    createdAtMs: created_at_ms,
    reference,
    amount: readNano(amount),
  }));
}

/** Returns the signed change of the balance by the entries of a kind. */
async function sumKind(reads: Reads, kind: RareKind, span: Span): Promise<Nano> {
  const { amount } = await selectByKind(reads, kind, span)
    .select(
      sql<string>`cast(coalesce(sum(CASE to_account WHEN 'balance' THEN amount ELSE -amount END), 0) AS text)`.as(
        "amount",
      ),
    )
    .executeTakeFirstOrThrow();
  return readNano(amount);
}

function selectByKind(reads: Reads, kind: RareKind, { afterSeq, lastSeq }: Span) {
  return reads
    .selectFrom("ledger_entries")
    .where(sql.raw<boolean>(isRareKind([kind])))
    .where("seq", ">", afterSeq)
    .where("seq", "<=", lastSeq);
}

async function projectNames(reads: Reads): Promise<ReadonlyMap<string, string>> {
  const rows = await reads.selectFrom("projects").select(["id", "name"]).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function findClosed(reads: Reads, month: string): Promise<Statement | null> {
  const row = await reads.selectFrom("statements").selectAll().where("month", "=", month).executeTakeFirst();
  if (!row) return null;
  const { previousDigest: _previous, ...figures } = readFigures(row.figures);
  return { ...figures, closed: readClosing(row) };
}

/** Leaves out the lines of the figures, which may be many. */
async function listClosed(reads: Reads): Promise<StatementHead[]> {
  const { jsonText } = dialectOf(reads);
  const figure = (name: string) => sql<string>`${jsonText(sql`figures`, name)}`;
  const rows = await reads
    .selectFrom("statements")
    .select(["month", "after_seq", "last_seq", "digest", "closed_at_ms"])
    .select(["closer_kind", "closer_id", "closer_name"])
    .select([figure("opening").as("opening"), figure("payments").as("payments")])
    .select([figure("charges").as("charges"), figure("closing").as("closing")])
    .select(sql<string>`coalesce(${figure("corrections")}, '0')`.as("corrections"))
    .orderBy("month", "desc")
    .execute();
  return rows.map((row) => ({
    month: row.month,
    afterSeq: row.after_seq,
    lastSeq: row.last_seq,
    opening: parseCheckedAmount(row.opening),
    payments: parseCheckedAmount(row.payments),
    charges: parseCheckedAmount(row.charges),
    corrections: parseCheckedAmount(row.corrections),
    closing: parseCheckedAmount(row.closing),
    closed: readClosing(row),
  }));
}

type Closer = Pick<
  Tables["statements"],
  "digest" | "closed_at_ms" | "closer_kind" | "closer_id" | "closer_name"
>;

function readClosing({ digest, closed_at_ms, closer_kind, closer_id, closer_name }: Closer): Closing {
  return { atMs: closed_at_ms, digest, person: { kind: closer_kind, id: closer_id, name: closer_name } };
}

/** The entries of a month. */
type Span = Pick<StatementSums, "month" | "afterSeq" | "lastSeq">;

/** Returns the corrections entered in a month, with the entries they correct, in ledger order. */
async function listCorrections(
  reads: Reads,
  { afterSeq, lastSeq }: Span,
): Promise<Omit<StatementCorrection, "projectName">[]> {
  const rows = await reads
    .selectFrom("ledger_entries as correction")
    .innerJoin("ledger_entries as entry", "entry.id", "correction.corrects")
    .select(["correction.id", "correction.created_at_ms", "correction.corrects", "correction.reason"])
    .select(["correction.project_id", "correction.model", "entry.kind", "entry.reference"])
    .select("entry.created_at_ms as corrected_at_ms")
    .select(
      sql<string>`cast(CASE correction.to_account WHEN 'balance' THEN 1 ELSE -1 END * correction.amount AS text)`.as(
        "amount",
      ),
    )
    .where(sql.raw<boolean>(isRareKind(["correction"], "correction")))
    .where("correction.seq", ">", afterSeq)
    .where("correction.seq", "<=", lastSeq)
    .orderBy("correction.seq")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAtMs: row.created_at_ms,
    amount: toNano(BigInt(row.amount)),
    reason: row.reason ?? "",
    corrects: row.corrects ?? "",
    correctedKind: row.kind === "payment" ? "payment" : "charge",
    correctedAtMs: row.corrected_at_ms,
    correctedReference: row.reference,
    projectId: row.project_id,
    model: row.model,
  }));
}

/** The sums of a month besides its charges. `corrections` is signed: negative if payments are corrected. */
interface MonthSums {
  readonly opening: Nano;
  readonly payments: Nano;
  readonly corrections: Nano;
  readonly closing: Nano;
}

/** The charges of a month, since opening + payments − charges + corrections = closing. */
export function sumMonthCharges({
  opening: openingBalance,
  payments,
  corrections,
  closing: closingBalance,
}: MonthSums): Nano {
  return toNano(openingBalance + payments + corrections - closingBalance);
}
