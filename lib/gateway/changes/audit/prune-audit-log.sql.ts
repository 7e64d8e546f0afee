import type { Database as Sqlite } from "bun:sqlite";
import type { AuditChange, AuditRow } from "./audit-event";
import { AuditTrail } from "./audit-trail.sql";
import { foldAuditLog } from "./fold-audit-log";

type CutRow = Pick<AuditRow, "seq" | "id" | "type" | "at_ms" | "changes" | "hash">;

/**
 * Deletes the oldest events of the audit log written before `untilMs`, at most `limit`. In the same transaction an
 * event records how many were deleted, the hash that the log continues from, and their data about rows that still
 * exist. So the chain stays verifiable and every row explained.
 * @returns how many were deleted.
 */
export function pruneAuditLog(
  sqlite: Sqlite,
  { untilMs, nowMs, limit }: { untilMs: number; nowMs: number; limit: number },
): number {
  return sqlite
    .transaction(() => {
      const oldest = sqlite
        .query<CutRow, [number]>(
          "SELECT seq, id, type, at_ms, changes, hash FROM audit_logs ORDER BY seq LIMIT ?",
        )
        .all(limit);
      const keptIndex = oldest.findIndex(({ at_ms }) => at_ms >= untilMs);
      const old = keptIndex < 0 ? oldest : oldest.slice(0, keptIndex);
      const last = old.at(-1);
      if (!last) return 0;
      const cutHead = { length: Number(last.seq), hash: last.hash };
      new AuditTrail(sqlite).addPruning(nowMs, [
        {
          object: "audit_logs",
          id: last.id,
          subject_id: null,
          project_id: null,
          before: null,
          after: cutHead,
        },
        ...stillTold(old),
      ]);
      sqlite.query("DELETE FROM audit_logs WHERE seq <= ?").run(cutHead.length);
      return old.length;
    })
    .immediate();
}

function stillTold(events: readonly CutRow[]): AuditChange[] {
  return [...foldAuditLog(() => events).values()].flatMap(({ audited, state }) => {
    const { object, id, subject_id, project_id } = audited;
    return state ? [{ object, id, subject_id, project_id, before: null, after: state }] : [];
  });
}
