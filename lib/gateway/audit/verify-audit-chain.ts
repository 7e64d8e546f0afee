import type { Database } from "bun:sqlite";
import { AUDIT_CUT } from "@/lib/contract/audit-events";
import { type AuditChange, type AuditRow, FIRST_HASH, hashOfEvent, idOfEvent } from "./audit-event";
import type { AuditHead } from "./audit-head";

export interface AuditChainFault {
  /** The altered event; null where the fault lies in no single event. */
  readonly event: string | null;
  readonly message: string;
}

/**
 * Follows the chain from `start`, event by event. `known` is a head that was exported earlier. `next` returns the fault
 * of the next event, or advances and returns null.
 */
export function walkAuditChain(start: AuditHead, known?: AuditHead) {
  let { length, hash } = start;
  return {
    get head(): AuditHead {
      return { length, hash };
    },
    next(row: AuditRow): AuditChainFault | null {
      const fault = (message: string) => ({ event: row.id, message });
      const seq = Number(row.seq);
      if (seq !== length + 1) return fault(`Event ${length + 1} is missing before ${row.id}`);
      const expected = hashOfEvent(hash, row);
      if (expected !== row.hash || idOfEvent(Number(row.at_ms), expected) !== row.id) {
        return fault(`Event ${seq} (${row.id}) is not as it was written`);
      }
      [length, hash] = [seq, expected];
      if (known?.length !== length || known.hash === hash) return null;
      const problem = `it has ${hash}, exported was ${known.hash}`;
      return fault(`Event ${seq} (${row.id}) is not the one whose hash was exported: ${problem}`);
    },
  };
}

/**
 * Walks the whole audit log. `known` is a head that was exported earlier.
 * @returns the head, and the first row that was changed, removed or inserted, if any.
 */
export function verifyAuditChain(
  database: Database,
  known?: AuditHead,
): { fault: AuditChainFault | null; head: AuditHead } {
  const cut = findCut(database);
  const walk = walkAuditChain(cut, known);
  const fail = (message: string) => ({ fault: { event: null, message }, head: walk.head });
  if (known && known.length < cut.length) {
    return fail(`Event ${known.length}, whose hash was exported, is older than the log is kept`);
  }
  if (known && known.length === cut.length && known.hash !== cut.hash) {
    return fail(`Event ${cut.length}, which was cut off, is not the one whose hash was exported`);
  }
  for (const row of database.prepare<AuditRow, []>("SELECT * FROM audit_logs ORDER BY seq").iterate()) {
    const fault = walk.next(row);
    if (fault) return { fault, head: walk.head };
  }
  const { length } = walk.head;
  if (known && known.length > length) return fail(`Events ${length + 1} to ${known.length} are missing`);
  const pending = database
    .query<{ object: string; id: string }, []>("SELECT object, id FROM audit_pending LIMIT 1")
    .get();
  if (pending) return fail(`A change of ${pending.object} ${pending.id} is in no event`);
  return { fault: null, head: walk.head };
}

function findCut(database: Database): AuditHead {
  const [first, cut] = [
    database.query<{ seq: number | bigint }, []>("SELECT seq FROM audit_logs ORDER BY seq LIMIT 1").get(),
    database
      .query<{ changes: string }, [string]>(
        "SELECT changes FROM audit_logs WHERE type = ? ORDER BY seq DESC LIMIT 1",
      )
      .get(AUDIT_CUT),
  ];
  return startOfChain(first?.seq, cut?.changes);
}

/**
 * Where the log begins: after the events that the last pruning deleted. `cut` holds the changes of that pruning event.
 */
export function startOfChain(firstSeq: number | bigint | undefined, cut: string | undefined): AuditHead {
  const [change] = cut === undefined ? [] : (JSON.parse(cut) as AuditChange[]);
  const { length = 0, hash = FIRST_HASH } = (change?.after ?? {}) as Partial<AuditHead>;
  return Number(firstSeq) === length + 1 ? { length, hash } : { length: 0, hash: FIRST_HASH };
}
