import type { Database } from "bun:sqlite";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { MINUTE_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { Reads } from "../../database/database";
import type { AuditChange, AuditRow } from "./audit-event";

/** The hash that the first event is chained to. */
export const FIRST_HASH = "0".repeat(64);

/** SHA-256 of the previous event's hash followed by the event as JSON, its columns in a fixed order. */
export function hashEvent(previousHash: string, row: Omit<AuditRow, "id" | "hash">): string {
  const who = [row.actor_kind, row.actor_id, row.actor_key_id, row.actor_user_id, row.actor_email];
  const when = [Number(row.seq), Number(row.at_ms), row.type, row.project_id, row.request_id];
  const canonical = JSON.stringify([...when, ...who, row.actor_ip, row.changes]);
  return new Bun.CryptoHasher("sha256").update(previousHash).update(canonical).digest("hex");
}

/** An event's id follows from its hash, so neither can be changed without the other. */
export function buildEventId(atMs: number, hash: string): string {
  return newId("audit", atMs, (bytes) => Uint8Array.from(Buffer.from(hash.slice(0, bytes * 2), "hex")));
}

/** The end of the log. A copy kept elsewhere can prove later that no earlier event was changed or removed. */
export interface AuditHead {
  /** The number of events. */
  readonly length: number;
  /** The hash of the last event: hexadecimal SHA-256. */
  readonly hash: string;
}

/** The printed form: `117:9f2c…`. */
export function formatAuditHead({ length, hash }: AuditHead): string {
  return `${length}:${hash}`;
}

/** Null for a text that is not the head of a log with at least one event. */
export function parseAuditHead(text: string): AuditHead | null {
  const [, length, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return length && hash ? { length: Number(length), hash } : null;
}

interface AuditChainFault {
  /** The altered event; null if the fault lies in no single event. */
  readonly event: string | null;
  readonly message: string;
}

/**
 * Follows the chain from `start`, event by event. `knownHead` is a head that was exported earlier. `next` returns the
 * fault of the next event, or advances and returns null.
 */
function walkAuditChain(start: AuditHead, knownHead?: AuditHead) {
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
function findChainStart(firstSeq: number | bigint | undefined, cutChanges: string | undefined): AuditHead {
  const [change] = cutChanges === undefined ? [] : (JSON.parse(cutChanges) as AuditChange[]);
  const { length = 0, hash = FIRST_HASH } = (change?.after ?? {}) as Partial<AuditHead>;
  return Number(firstSeq) === length + 1 ? { length, hash } : { length: 0, hash: FIRST_HASH };
}

/** How far the hash chain holds, and the fault that ends it; null if it holds to the end. */
export interface AuditWalk {
  readonly head: AuditHead;
  readonly fault: AuditChainFault | null;
}

export interface AuditChainVerifier {
  /** Recomputes the chain. Skips the part that was verified within the minute before `nowMs`. */
  verifyChain(nowMs: number): Promise<AuditWalk>;
}

/** Events hashed before the thread handles other questions: a millisecond or two. */
const PAGE_SIZE = 200;
/** How long a verified part is trusted. */
const TRUSTED_MS = MINUTE_MS;

/**
 * Recomputes the log's chain while it is being written. Concurrent callers share one walk. Hashing leaves much garbage,
 * whose collection stops a whole thread, so it must not run on the event loop.
 */
export function createChainVerifier(reads: Reads) {
  let underWay: Promise<AuditWalk> | null = null;
  let verified: { head: AuditHead; startedAtMs: number } | null = null;

  async function verifyOn(startedAtMs: number): Promise<AuditWalk> {
    if (
      verified &&
      (startedAtMs - verified.startedAtMs >= TRUSTED_MS || !(await isStored(reads, verified.head)))
    ) {
      verified = null;
    }
    const since = verified?.startedAtMs ?? startedAtMs;
    const first = verified?.head ?? (await findStart(reads));
    const walk = walkAuditChain(first);
    for (;;) {
      const rows = await reads
        .selectFrom("audit_logs")
        .selectAll()
        .where("seq", ">", walk.head.length)
        .orderBy("seq")
        .limit(PAGE_SIZE)
        .execute();
      for (const row of rows) {
        const fault = walk.next(row);
        if (!fault) continue;
        verified = null;
        // Events that were pruned meanwhile are not a fault.
        if ((await findStart(reads)).length > first.length) return verifyOn(startedAtMs);
        return { head: walk.head, fault };
      }
      if (rows.length < PAGE_SIZE) break;
      await new Promise(setImmediate);
    }
    verified = { head: walk.head, startedAtMs: since };
    return { head: walk.head, fault: null };
  }

  return (nowMs: number): Promise<AuditWalk> => {
    underWay ??= verifyOn(nowMs).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function findStart(reads: Reads): Promise<AuditHead> {
  const [first, cutRow] = await Promise.all([
    reads.selectFrom("audit_logs").select("seq").orderBy("seq").limit(1).executeTakeFirst(),
    reads
      .selectFrom("audit_logs")
      .select("changes")
      .where("type", "=", otherEvents.auditCut)
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst(),
  ]);
  return findChainStart(first?.seq, cutRow?.changes);
}

/** Whether the log still has this event at this position. */
async function isStored(reads: Reads, { length, hash }: AuditHead): Promise<boolean> {
  const row = await reads
    .selectFrom("audit_logs")
    .select("hash")
    .where("seq", "=", length)
    .executeTakeFirst();
  return row?.hash === hash;
}
