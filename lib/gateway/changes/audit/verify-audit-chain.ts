import type { Database } from "bun:sqlite";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { type AuditChange, type AuditRow, buildEventId, FIRST_HASH, hashEvent } from "./audit-event";
import type { AuditHead } from "./audit-head";

export interface AuditChainFault {
  /** The altered event; null if the fault lies in no single event. */
  readonly event: string | null;
  readonly message: string;
}

/**
 * Follows the chain from `start`, event by event. `knownHead` is a head that was exported earlier. `next` returns the
 * fault of the next event, or advances and returns null.
 */
export function walkAuditChain(start: AuditHead, knownHead?: AuditHead) {
  let { length, hash } = start;
  return {
    get head(): AuditHead {
      return { length, hash };
    },
    next(row: AuditRow): AuditChainFault | null {
      const fault = (message: string) => ({ event: row.id, message });
      const seq = Number(row.seq);
      if (seq !== length + 1) return fault(`Event ${length + 1} is missing before ${row.id}`);
      const expectedHash = hashEvent(hash, row);
      if (expectedHash !== row.hash || buildEventId(Number(row.at_ms), expectedHash) !== row.id) {
        return fault(`Event ${seq} (${row.id}) is not as it was written`);
      }
      [length, hash] = [seq, expectedHash];
      if (knownHead?.length !== length || knownHead.hash === hash) return null;
      const problem = `it has ${hash}, exported was ${knownHead.hash}`;
      return fault(`Event ${seq} (${row.id}) is not the one whose hash was exported: ${problem}`);
    },
  };
}

/**
 * Walks the whole audit log. `knownHead` is a head that was exported earlier.
 * @returns the head, and the first row that was changed, removed or inserted, if any.
 */
export function verifyAuditChain(
  database: Database,
  knownHead?: AuditHead,
): { fault: AuditChainFault | null; head: AuditHead } {
  const cutHead = findCut(database);
  const walk = walkAuditChain(cutHead, knownHead);
  const fail = (message: string) => ({ fault: { event: null, message }, head: walk.head });
  if (knownHead && knownHead.length < cutHead.length) {
    return fail(`Event ${knownHead.length}, whose hash was exported, is older than the log is kept`);
  }
  if (knownHead && knownHead.length === cutHead.length && knownHead.hash !== cutHead.hash) {
    return fail(`Event ${cutHead.length}, which was cut off, is not the one whose hash was exported`);
  }
  for (const row of database.prepare<AuditRow, []>("SELECT * FROM audit_logs ORDER BY seq").iterate()) {
    const fault = walk.next(row);
    if (fault) return { fault, head: walk.head };
  }
  const { length } = walk.head;
  if (knownHead && knownHead.length > length)
    return fail(`Events ${length + 1} to ${knownHead.length} are missing`);
  const pending = database
    .query<{ object: string; id: string }, []>("SELECT object, id FROM audit_pending LIMIT 1")
    .get();
  if (pending) return fail(`A change of ${pending.object} ${pending.id} is in no event`);
  return { fault: null, head: walk.head };
}

function findCut(database: Database): AuditHead {
  const [first, cutRow] = [
    database.query<{ seq: number | bigint }, []>("SELECT seq FROM audit_logs ORDER BY seq LIMIT 1").get(),
    database
      .query<{ changes: string }, [string]>(
        "SELECT changes FROM audit_logs WHERE type = ? ORDER BY seq DESC LIMIT 1",
      )
      .get(otherEvents.auditCut),
  ];
  return findChainStart(first?.seq, cutRow?.changes);
}

/**
 * Finds where the log begins: after the events that the last pruning deleted. `cutChanges` holds the changes of that
 * pruning event.
 */
export function findChainStart(
  firstSeq: number | bigint | undefined,
  cutChanges: string | undefined,
): AuditHead {
  const [change] = cutChanges === undefined ? [] : (JSON.parse(cutChanges) as AuditChange[]);
  const { length = 0, hash = FIRST_HASH } = (change?.after ?? {}) as Partial<AuditHead>;
  return Number(firstSeq) === length + 1 ? { length, hash } : { length: 0, hash: FIRST_HASH };
}
