import { computeMonthEndMs, findMonthSpan, formatMonth } from "@/lib/contract/calendar-month";
import { within } from "../../changes/transactions.sql";
import type { Reads } from "../../database/database";
import type { StatementStore } from "./statement";

/** Stores the statements of closed months. */
export function createSqliteStatementStore(reads: Reads): StatementStore {
  return {
    nextToClose: () => findNextStatement(reads),
    async insert(transaction, { month, afterSeq, lastSeq, figures, closed: { atMs, person, digest } }) {
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
