import { otherEvents } from "@/lib/contract/access/audit-events";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Reads } from "../../database/database";
import type { AuditHead } from "./audit-head";
import type { AuditWalk } from "./audit-log-reader";
import { findChainStart, walkAuditChain } from "./verify-audit-chain";

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
