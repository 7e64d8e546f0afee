import type { Database as Sqlite } from "bun:sqlite";
import { firstIdOf } from "@/lib/contract/ids";
import { IDEMPOTENCY_MS } from "../balance/idempotency";
import type { Turn } from "../changes/turn";
import { pruneAuditLog } from "./audit/prune-audit-log";
import type { Retention } from "./retention";

/** Rows of one step: some milliseconds, in which neither calls nor the writer get their turn. */
const AT_ONCE = 200;

const DAY_MS = 86_400_000;

/** Deletes at most `AT_ONCE` rows of one kind. @returns how many. */
type Step = (nowMs: number) => number;

/**
 * Deletes what is older than it is kept, a few rows in a turn; `pause` is awaited after each step, and says whether to go on.
 * @throws whatever the store says; the rest is deleted another time.
 */
export async function pruneStore(
  sqlite: Sqlite,
  retention: Retention,
  { nowMs, pause, turn }: { nowMs: number; pause(): Promise<boolean>; turn: Turn },
): Promise<void> {
  for (const step of stepsOf(sqlite, retention)) {
    for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
      // A step is one stretch: it waits only for a unit of work that is under way on its connection.
      deleted = sqlite.inTransaction ? await turn(async () => step(nowMs)) : step(nowMs);
      if (deleted > 0 && !(await pause())) return;
    }
  }
}

function stepsOf(sqlite: Sqlite, retention: Retention): Step[] {
  const older = (ms: number | null, cut: (untilMs: number) => number): Step => {
    return (nowMs) => (ms === null ? 0 : cut(Math.max(0, nowMs - ms)));
  };
  const run = (sql: string, until: number | string) => sqlite.query(sql).run(until, AT_ONCE).changes;
  return [
    older(retention.requestLogMs, (untilMs) =>
      run(
        "DELETE FROM uncharged_calls WHERE id IN (SELECT id FROM uncharged_calls WHERE id < ? ORDER BY id LIMIT ?)",
        firstIdOf("req", untilMs),
      ),
    ),
    older(retention.refusalCountsMs, (untilMs) =>
      run(
        `DELETE FROM refusal_counts WHERE (minute_ms, project_id, key_id, model, refused_by) IN (
           SELECT minute_ms, project_id, key_id, model, refused_by FROM refusal_counts WHERE minute_ms < ? LIMIT ?)`,
        untilMs,
      ),
    ),
    older(IDEMPOTENCY_MS, (untilMs) =>
      run(
        "DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys WHERE created_at_ms <= ? LIMIT ?)",
        untilMs,
      ),
    ),
    older(retention.keptRepliesMs, (untilMs) =>
      run(
        `UPDATE idempotency_keys SET reply = NULL WHERE rowid IN (SELECT rowid FROM idempotency_keys
           WHERE created_at_ms <= ? AND request_id IS NOT NULL AND reply IS NOT NULL LIMIT ?)`,
        untilMs,
      ),
    ),
    older(retention.callbacksMs, (untilMs) =>
      run(
        `DELETE FROM alert_deliveries WHERE rowid IN (SELECT rowid FROM alert_deliveries
           WHERE status <> 'pending' AND tried_at_ms <= ? LIMIT ?)`,
        untilMs,
      ),
    ),
    // By the day: each cut is an event itself, and would take the place of the one it deletes.
    (nowMs) => {
      if (retention.auditLogMs === null) return 0;
      const untilMs = Math.floor((nowMs - retention.auditLogMs) / DAY_MS) * DAY_MS;
      return pruneAuditLog(sqlite, { untilMs, nowMs, limit: AT_ONCE });
    },
  ];
}
