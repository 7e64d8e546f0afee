import type { Database } from "bun:sqlite";
import { AUDIT_CUT } from "@/lib/contract/audit-events";
import { type AuditChange, type AuditRow, FIRST_HASH, hashOfEvent, idOfEvent } from "./audit-event";
import type { AuditHead } from "./audit-head";

export interface AuditChainFault {
  /** The event that is not as it was written; null where the fault is not in one. */
  readonly event: string | null;
  readonly message: string;
}

/**
 * Walks the whole audit log. `known` is a head that was exported earlier.
 * @returns the first row that was changed, removed or slipped in, if any, and the head.
 */
export function verifyAuditChain(
  database: Database,
  known?: AuditHead,
): { fault: AuditChainFault | null; head: AuditHead } {
  const cut = findCut(database);
  let { length, hash } = cut;
  const fail = (event: string | null, message: string) => ({
    fault: { event, message },
    head: { length, hash },
  });
  if (known && known.length < cut.length) {
    return fail(null, `Event ${known.length}, whose hash was exported, is older than the log is kept`);
  }
  if (known && known.length === cut.length && known.hash !== cut.hash) {
    return fail(null, `Event ${cut.length}, which was cut off, is not the one whose hash was exported`);
  }
  for (const row of database.prepare<AuditRow, []>("SELECT * FROM audit_logs ORDER BY seq").iterate()) {
    const seq = Number(row.seq);
    if (seq !== length + 1) return fail(row.id, `Event ${length + 1} is missing before ${row.id}`);
    const expected = hashOfEvent(hash, row);
    if (expected !== row.hash || idOfEvent(Number(row.at_ms), expected) !== row.id) {
      return fail(row.id, `Event ${seq} (${row.id}) is not as it was written`);
    }
    [length, hash] = [seq, expected];
    if (known?.length === length && known.hash !== hash) {
      const told = `it has ${hash}, exported was ${known.hash}`;
      return fail(row.id, `Event ${seq} (${row.id}) is not the one whose hash was exported: ${told}`);
    }
  }
  if (known && known.length > length)
    return fail(null, `Events ${length + 1} to ${known.length} are missing`);
  const pending = database
    .query<{ object: string; id: string }, []>("SELECT object, id FROM audit_pending LIMIT 1")
    .get();
  if (pending) return fail(null, `A change of ${pending.object} ${pending.id} is in no event`);
  return { fault: null, head: { length, hash } };
}

/** Where the log begins: after what the last cut deleted, and says so. */
function findCut(database: Database): AuditHead {
  const [first, cut] = [
    database.query<{ seq: number | bigint }, []>("SELECT seq FROM audit_logs ORDER BY seq LIMIT 1").get(),
    database
      .query<{ changes: string }, [string]>(
        "SELECT changes FROM audit_logs WHERE type = ? ORDER BY seq DESC LIMIT 1",
      )
      .get(AUDIT_CUT),
  ];
  const [change] = cut ? (JSON.parse(cut.changes) as AuditChange[]) : [];
  const { length = 0, hash = FIRST_HASH } = (change?.after ?? {}) as Partial<AuditHead>;
  return Number(first?.seq) === length + 1 ? { length, hash } : { length: 0, hash: FIRST_HASH };
}
