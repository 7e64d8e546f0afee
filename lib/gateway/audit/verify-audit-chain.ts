import type { Database } from "bun:sqlite";
import { type AuditRow, FIRST_HASH, hashOfEvent, idOfEvent } from "./audit-event";
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
  let [length, hash] = [0, FIRST_HASH];
  const fail = (event: string | null, message: string) => ({
    fault: { event, message },
    head: { length, hash },
  });
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
