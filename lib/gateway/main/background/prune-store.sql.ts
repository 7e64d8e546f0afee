import type { Database as Sqlite } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import { pruneAuditLog } from "../../changes/audit/audit-trail.sql";
import type { Lock } from "../../changes/change";
import { IDEMPOTENCY_MS } from "../../idempotency/idempotency";
import { ANSWER_DAYS, CONVERSATION_DAYS } from "../../prompts/conversations/conversations";
import type { StoreOptions } from "../gateway-options";
import { type Retention, type RetentionDraft, toRetention } from "./retention";
import type { SteadyClock } from "./steady-clock";

/** The interval between two searches for expired rows, and the pause between two steps of deleting them. */
const POLL_MS = MINUTE_MS;
const REST_MS = 100;
/** Rows per step: a few milliseconds, during which neither calls nor the writer can proceed. */
const BATCH_SIZE = 200;

/** The retention of bodies follows the project's present settings. */
const EXPIRED_BODIES = `DELETE FROM request_bodies WHERE id IN (
  SELECT bodies.id FROM body_settings AS settings JOIN request_bodies AS bodies
  ON bodies.project_id = settings.project_id AND bodies.at_ms <= ? - settings.retention_days * ${DAY_MS} LIMIT ?)`;

/**
 * The keys of lines, which begin with their batch's id, say what was answered and charged until its results are stored.
 */
const OF_NO_OPEN_BATCH = `NOT EXISTS (SELECT 1 FROM batches WHERE ended_at_ms IS NULL
  AND keys.key > id || '-' AND keys.key < id || '.')`;

const CONVERSATIONS_MS = CONVERSATION_DAYS * DAY_MS;
const ANSWERS_MS = ANSWER_DAYS * DAY_MS;

/** Users' conversations, prompt runs and prompts, which have the same retention. */
const keptByPeople = [
  `DELETE FROM conversation_answers WHERE id IN (SELECT answers.id FROM conversations JOIN conversation_answers AS answers
    ON answers.conversation_id = conversations.id WHERE conversations.updated_at_ms <= ? LIMIT ?)`,
  "DELETE FROM conversations WHERE id IN (SELECT id FROM conversations WHERE updated_at_ms <= ? LIMIT ?)",
  "DELETE FROM prompt_runs WHERE id IN (SELECT id FROM prompt_runs WHERE created_at_ms <= ? LIMIT ?)",
  // Prompts of removed members that were never shared, so that nobody can read them any more.
  `DELETE FROM prompts WHERE id IN (SELECT prompts.id FROM users JOIN prompts ON prompts.owner_id = users.id
    AND prompts.is_shared = 0 WHERE users.removed_at_ms <= ? LIMIT ?)`,
];

/** Deletes at most `BATCH_SIZE` rows of one kind. @returns how many. */
type Step = (nowMs: number) => number;

/**
 * Deletes expired rows, a few at a time. It awaits `pause` after each step, which returns whether to continue.
 * @throws the store's errors; the remaining rows are deleted the next time.
 */
export async function pruneStore(
  sqlite: Sqlite,
  retention: Retention,
  { nowMs, pause, lock }: { nowMs: number; pause(): Promise<boolean>; lock: Lock },
): Promise<void> {
  for (const step of listSteps(sqlite, retention)) {
    for (let deletedCount = BATCH_SIZE; deletedCount === BATCH_SIZE; ) {
      // A step runs without interruption: it waits only for a unit of work in progress on its connection.
      deletedCount = sqlite.inTransaction ? await lock(async () => step(nowMs)) : step(nowMs);
      if (deletedCount > 0 && !(await pause())) return;
    }
  }
}

function listSteps(sqlite: Sqlite, retention: Retention): Step[] {
  const older = (ms: number | null, deleteUntil: (untilMs: number) => number): Step => {
    return (nowMs) => (ms === null ? 0 : deleteUntil(Math.max(0, nowMs - ms)));
  };
  const run = (sql: string, until: number | string) => sqlite.query(sql).run(until, BATCH_SIZE).changes;
  return [
    older(retention.requestLogMs, (untilMs) =>
      run(
        "DELETE FROM uncharged_calls WHERE id IN (SELECT id FROM uncharged_calls WHERE id < ? ORDER BY id LIMIT ?)",
        firstIdAt("req", untilMs),
      ),
    ),
    older(retention.requestLogMs, (untilMs) => cutReceiptDetails(sqlite, firstIdAt("txn", untilMs))),
    older(retention.refusalCountsMs, (untilMs) =>
      run(
        `DELETE FROM refusal_counts WHERE (minute_ms, project_id, key_id, model, refused_by) IN (
           SELECT minute_ms, project_id, key_id, model, refused_by FROM refusal_counts WHERE minute_ms < ? LIMIT ?)`,
        untilMs,
      ),
    ),
    older(retention.refusalCountsMs, (untilMs) =>
      run(
        "DELETE FROM access_refusals WHERE id IN (SELECT id FROM access_refusals WHERE id < ? ORDER BY id LIMIT ?)",
        firstIdAt("refusal", untilMs),
      ),
    ),
    older(IDEMPOTENCY_MS, (untilMs) =>
      run(
        `DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys AS keys
           WHERE created_at_ms <= ? AND ${OF_NO_OPEN_BATCH} LIMIT ?)`,
        untilMs,
      ),
    ),
    older(retention.keptRepliesMs, (untilMs) =>
      run(
        `UPDATE idempotency_keys SET reply = NULL WHERE rowid IN (SELECT rowid FROM idempotency_keys AS keys
           WHERE created_at_ms <= ? AND request_id IS NOT NULL AND reply IS NOT NULL AND ${OF_NO_OPEN_BATCH} LIMIT ?)`,
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
    older(retention.callbacksMs, (untilMs) => cutTaskCallbacks(sqlite, untilMs)),
    (nowMs) => run(EXPIRED_BODIES, nowMs),
    older(ANSWERS_MS, (untilMs) =>
      run(
        "DELETE FROM conversation_answers WHERE id IN (SELECT id FROM conversation_answers WHERE updated_at_ms <= ? LIMIT ?)",
        untilMs,
      ),
    ),
    ...keptByPeople.map((sql) => older(CONVERSATIONS_MS, (untilMs) => run(sql, untilMs))),
    // In whole days: each pruning writes an event itself, which would otherwise replace the one that it deletes.
    (nowMs) => {
      if (retention.auditLogMs === null) return 0;
      const untilMs = Math.floor((nowMs - retention.auditLogMs) / DAY_MS) * DAY_MS;
      return pruneAuditLog(sqlite, { untilMs, nowMs, limit: BATCH_SIZE });
    },
  ];
}

/** Charges are kept forever; the parts that only receipts show are not. @returns how many charges it processed. */
function cutReceiptDetails(sqlite: Sqlite, until: string): number {
  return sqlite
    .transaction(() => {
      const [from] = sqlite.query<{ id: string }, []>("SELECT id FROM call_traces_end").all();
      const ids = sqlite
        .query<{ id: string }, [string, string, number]>(
          "SELECT id FROM ledger_entries WHERE id > ? AND id < ? ORDER BY id LIMIT ?",
        )
        .all(from?.id ?? "", until, BATCH_SIZE)
        .map(({ id }) => id);
      const last = ids.at(-1);
      if (last === undefined) return 0;
      sqlite
        .query(
          `UPDATE ledger_entries SET trace = NULL WHERE trace IS NOT NULL
           AND id IN (SELECT value FROM json_each(?))`,
        )
        .run(JSON.stringify(ids));
      sqlite.query("UPDATE call_traces_end SET id = ?").run(last);
      return ids.length;
    })
    .immediate();
}

/** Deletes callbacks, the log of their tries, and the address in their task. @returns the number of callbacks. */
function cutTaskCallbacks(sqlite: Sqlite, untilMs: number): number {
  return sqlite
    .transaction(() => {
      const over = sqlite
        .query<{ task_id: string }, [number, number]>(
          "SELECT task_id FROM task_callbacks WHERE status <> 'pending' AND ended_at_ms <= ? LIMIT ?",
        )
        .all(untilMs, BATCH_SIZE);
      if (over.length === 0) return 0;
      const ids = JSON.stringify(over.map(({ task_id }) => task_id));
      const idList = "(SELECT value FROM json_each(?))";
      sqlite.query(`DELETE FROM task_callback_tries WHERE task_id IN ${idList}`).run(ids);
      sqlite.query(`DELETE FROM task_callbacks WHERE task_id IN ${idList}`).run(ids);
      sqlite
        .query(`UPDATE tasks SET callback_url = NULL, callback_receiver = NULL WHERE id IN ${idList}`)
        .run(ids);
      return over.length;
    })
    .immediate();
}

/** Deletes expired rows in the background, by a clock that is steady. */
export function openRetention(
  { runtime, logFault }: Pick<StoreOptions, "runtime" | "logFault">,
  { connection }: { readonly connection: Sqlite },
  lock: Lock,
  { draft, steadyClock }: { readonly draft: RetentionDraft; readonly steadyClock: SteadyClock },
): { close(): Promise<void> } {
  const retention = toRetention(draft);
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  const pause = async () => {
    await sleep(REST_MS, undefined, { signal: closing.signal }).catch(() => {});
    return !closing.signal.aborted;
  };
  const prune = () => {
    if (!steadyClock.isSteady()) return;
    underWay ??= pruneStore(connection, retention, { nowMs: runtime.clock.nowMs(), pause, lock })
      .catch((error: unknown) => logFault("retention", error))
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(prune, POLL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await underWay;
    },
  };
}
