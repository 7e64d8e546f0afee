import { computeMonthEndMs, findMonthSpan, formatMonth } from "@/lib/contract/calendar-month";
import { type Transaction, within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { Closing } from "./statement";

export type StatementStore = ReturnType<typeof createStatementStore>;

/** A statement as stored when its month is closed. */
interface ClosedStatement {
  readonly month: string;
  readonly afterSeq: number;
  readonly lastSeq: number;
  /** See `writeFigures`. */
  readonly figures: string;
  readonly closed: Closing;
}

/** The month that can be closed next. */
interface NextStatement {
  readonly month: string;
  /** The number of the last entry of the month before. */
  readonly afterSeq: number;
  /** The digest of the month before; null if none is closed. */
  readonly previousDigest: string | null;
}

/** Stores the statements of closed months. */
export function createStatementStore(reads: Reads) {
  return {
    /** Reads committed data; null before the first entry. */
    nextToClose: (): Promise<NextStatement | null> => findNextStatement(reads),
    async insert(
      transaction: Transaction,
      { month, afterSeq, lastSeq, figures, closed: { atMs, person, digest } }: ClosedStatement,
    ): Promise<void> {
      await within(transaction)
        .insertInto("statements")
        .values({
          month,
          after_seq: afterSeq,
          last_seq: lastSeq,
          figures,
          digest,
          closed_at_ms: atMs,
          closer_kind: person.kind,
          closer_id: person.id,
          closer_name: person.name,
        })
        .execute();
    },
  };
}

/** Returns the month after the last closed one; the month of the first entry if none is closed. */
export async function findNextStatement(reads: Reads) {
  const last = await reads
    .selectFrom("statements")
    .select(["month", "last_seq", "digest"])
    .orderBy("month", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last) {
    const month = formatMonth(computeMonthEndMs(findMonthSpan(last.month).startMs));
    return { month, afterSeq: last.last_seq, previousDigest: last.digest };
  }
  const first = await reads
    .selectFrom("ledger_entries")
    .select("created_at_ms")
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return first ? { month: formatMonth(first.created_at_ms), afterSeq: 0, previousDigest: null } : null;
}
