import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import { pruneAuditLog } from "../../changes/audit/audit-trail.sql";
import { type Changes, systemChange, type Write } from "../../changes/change";
import { within } from "../../changes/transactions.sql";
import type { Database } from "../../database/database";
import { dialectOf, type Fragment, sql } from "../../database/fragment";
import { IDEMPOTENCY_MS } from "../../idempotency/idempotency";
import { ANSWER_DAYS, CONVERSATION_DAYS } from "../../prompts/conversations/conversations";
import type { StoreOptions } from "../gateway-options";
import type { SteadyClock } from "./steady-clock";

/** The interval between two searches for expired rows, and the pause between two steps of deleting them. */
const POLL_MS = MINUTE_MS;
const REST_MS = 100;
/** Rows per step: a few milliseconds, during which neither calls nor the writer can proceed. */
const BATCH_SIZE = 200;

/** The retention of bodies follows the project's present settings. */
const deleteBodies: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM request_bodies WHERE id IN (
      SELECT bodies.id FROM body_settings AS settings JOIN request_bodies AS bodies
      ON bodies.project_id = settings.project_id AND bodies.at_ms <= ${nowMs} - settings.retention_days * ${sql.lit(DAY_MS)}
      LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** Responses are kept as long as bodies, and those of projects that keep none any more are deleted. */
const deleteResponses: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM responses WHERE id IN (
      SELECT kept.id FROM responses AS kept
      WHERE ${keptTooLong(nowMs, "kept.created_at_ms")} AND kept.owner IS NULL LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** The ids of their items go first. */
const deleteResponseItems: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM response_items WHERE (project_id, item_id) IN (
      SELECT items.project_id, items.item_id FROM responses AS kept
      JOIN response_items AS items ON items.response_id = kept.id
      WHERE ${keptTooLong(nowMs, "kept.created_at_ms")} LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** Events of the background go a day after their response began, which tells the same. */
const deleteResponseParts: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM response_parts WHERE (response_id, number) IN (
      SELECT parts.response_id, parts.number FROM responses AS kept
      JOIN response_parts AS parts ON parts.response_id = kept.id
      WHERE kept.owner IS NULL AND (kept.created_at_ms <= ${nowMs - DAY_MS}
      OR ${keptTooLong(nowMs, "kept.created_at_ms")}) LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** Callbacks go with their response, once they were delivered or given up. */
const deleteResponseCallbacks: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM response_callbacks WHERE response_id IN (
      SELECT kept.id FROM responses AS kept JOIN response_callbacks AS callbacks ON callbacks.response_id = kept.id
      WHERE ${keptTooLong(nowMs, "kept.created_at_ms")} AND kept.owner IS NULL LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** Items of conversations likewise, each by its own age. */
const deleteConversationItems: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM response_conversation_items WHERE (conversation_id, position) IN (
      SELECT items.conversation_id, items.position FROM response_conversations AS kept
      JOIN response_conversation_items AS items ON items.conversation_id = kept.id
      WHERE ${keptTooLong(nowMs, "items.created_at_ms")} LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

const deleteModelConversations: DeleteUntil = (nowMs, queries) =>
  run(
    queries,
    sql`DELETE FROM response_conversations WHERE id IN (
      SELECT kept.id FROM response_conversations AS kept WHERE ${keptTooLong(nowMs, "kept.updated_at_ms")}
      LIMIT ${sql.lit(BATCH_SIZE)})`,
  );

/** Whether the project of a `kept` row keeps whole bodies for less time than its age, or not at all. */
const keptTooLong = (nowMs: number, since: string) => sql`NOT EXISTS (
  SELECT 1 FROM body_settings AS settings WHERE settings.project_id = kept.project_id AND settings.mode = 'whole'
  AND ${sql.ref(since)} > ${nowMs} - settings.retention_days * ${sql.lit(DAY_MS)})`;

/**
 * The keys of lines, which begin with their batch's id, say what was answered and charged until its results are stored.
 */
const ofNoOpenBatch = sql`NOT EXISTS (SELECT 1 FROM batches WHERE ended_at_ms IS NULL
  AND keys.key > id || '-' AND keys.key < id || '.')`;

const CONVERSATIONS_MS = CONVERSATION_DAYS * DAY_MS;
const ANSWERS_MS = ANSWER_DAYS * DAY_MS;

/** Deletes at most `BATCH_SIZE` rows of one kind. @returns how many. */
type Step = (nowMs: number, queries: Database) => Promise<number>;
type DeleteUntil = (untilMs: number, queries: Database) => Promise<number>;

/**
 * Deletes expired rows, a few at a time, each step as a unit of work. It awaits `pause` after each step, which returns
 * whether to continue.
 * @throws the store's errors; the remaining rows are deleted the next time.
 */
export async function pruneStore(
  write: Write,
  retention: Retention,
  { nowMs, pause }: { nowMs: number; pause(): Promise<boolean> },
): Promise<void> {
  for (const step of listSteps(retention)) {
    for (let deletedCount = BATCH_SIZE; deletedCount === BATCH_SIZE; ) {
      deletedCount = await write((transaction) => step(nowMs, within(transaction)));
      if (deletedCount > 0 && !(await pause())) return;
    }
  }
}

async function run(queries: Database, statement: Fragment): Promise<number> {
  return Number((await statement.execute(queries)).numAffectedRows ?? 0);
}

/** A step that deletes the rows of a table that a condition selects. */
function deleteFrom(table: string, key: string, select: (untilMs: number) => Fragment): DeleteUntil {
  return (untilMs, queries) =>
    run(
      queries,
      sql`DELETE FROM ${sql.table(table)} WHERE ${sql.raw(key)} IN (${select(untilMs)} LIMIT ${sql.lit(BATCH_SIZE)})`,
    );
}

/** The step for rows that are older than `ms`; none if they are kept forever. */
function older(ms: number | null, deleteUntil: DeleteUntil): Step[] {
  return ms === null ? [] : [(nowMs, queries) => deleteUntil(Math.max(0, nowMs - ms), queries)];
}

/** Calls that cost nothing, what receipts show of others, and refusals. */
function listCallSteps(retention: Retention): Step[] {
  const counted = "minute_ms, project_id, key_id, model, refused_by";
  return [
    ...older(
      retention.requestLogMs,
      deleteFrom(
        "uncharged_calls",
        "id",
        (untilMs) => sql`SELECT id FROM uncharged_calls WHERE id < ${firstIdAt("req", untilMs)} ORDER BY id`,
      ),
    ),
    ...older(retention.requestLogMs, (untilMs, queries) =>
      cutReceiptDetails(queries, firstIdAt("txn", untilMs)),
    ),
    ...older(
      retention.refusalCountsMs,
      deleteFrom(
        "refusal_counts",
        `(${counted})`,
        (untilMs) => sql`SELECT ${sql.raw(counted)} FROM refusal_counts WHERE minute_ms < ${untilMs}`,
      ),
    ),
    ...older(
      retention.refusalCountsMs,
      deleteFrom(
        "access_refusals",
        "id",
        (untilMs) =>
          sql`SELECT id FROM access_refusals WHERE id < ${firstIdAt("refusal", untilMs)} ORDER BY id`,
      ),
    ),
  ];
}

function listSteps(retention: Retention): Step[] {
  return [
    ...listCallSteps(retention),
    ...older(
      IDEMPOTENCY_MS,
      deleteFrom(
        "idempotency_keys",
        "(scope, key)",
        (untilMs) => sql`SELECT scope, key FROM idempotency_keys AS keys
          WHERE created_at_ms <= ${untilMs} AND ${ofNoOpenBatch}`,
      ),
    ),
    ...older(retention.keptRepliesMs, (untilMs, queries) =>
      run(
        queries,
        sql`UPDATE idempotency_keys SET reply = NULL WHERE (scope, key) IN (
          SELECT scope, key FROM idempotency_keys AS keys WHERE created_at_ms <= ${untilMs}
          AND request_id IS NOT NULL AND reply IS NOT NULL AND ${ofNoOpenBatch} LIMIT ${sql.lit(BATCH_SIZE)})`,
      ),
    ),
    ...older(
      retention.callbacksMs,
      deleteFrom(
        "alert_deliveries",
        "id",
        (untilMs) =>
          sql`SELECT id FROM alert_deliveries WHERE status <> 'pending' AND tried_at_ms <= ${untilMs}`,
      ),
    ),
    ...older(retention.callbacksMs, cutTaskCallbacks),
    deleteBodies,
    deleteResponseItems,
    deleteResponseParts,
    deleteResponseCallbacks,
    deleteResponses,
    deleteConversationItems,
    deleteModelConversations,
    ...older(
      ANSWERS_MS,
      deleteFrom(
        "conversation_answers",
        "id",
        (untilMs) => sql`SELECT id FROM conversation_answers WHERE updated_at_ms <= ${untilMs}`,
      ),
    ),
    ...keptByPeople.flatMap((deleteUntil) => older(CONVERSATIONS_MS, deleteUntil)),
    // In whole days: each pruning writes an event itself, which would otherwise replace the one that it deletes.
    async (nowMs, queries) => {
      if (retention.auditLogMs === null) return 0;
      const untilMs = Math.floor((nowMs - retention.auditLogMs) / DAY_MS) * DAY_MS;
      return pruneAuditLog(queries, { untilMs, nowMs, limit: BATCH_SIZE });
    },
  ];
}

/** Users' conversations, prompt runs and prompts, which have the same retention. */
const keptByPeople: readonly DeleteUntil[] = [
  deleteFrom(
    "conversation_answers",
    "id",
    (untilMs) => sql`SELECT answers.id FROM conversations JOIN conversation_answers AS answers
      ON answers.conversation_id = conversations.id WHERE conversations.updated_at_ms <= ${untilMs}`,
  ),
  deleteFrom(
    "conversations",
    "id",
    (untilMs) => sql`SELECT id FROM conversations WHERE updated_at_ms <= ${untilMs}`,
  ),
  deleteFrom(
    "prompt_runs",
    "id",
    (untilMs) => sql`SELECT id FROM prompt_runs WHERE created_at_ms <= ${untilMs}`,
  ),
  // Prompts of removed members that were never shared, so that nobody can read them any more.
  deleteFrom(
    "prompts",
    "id",
    (untilMs) => sql`SELECT prompts.id FROM users JOIN prompts ON prompts.owner_id = users.id
      AND prompts.is_shared = 0 WHERE users.removed_at_ms <= ${untilMs}`,
  ),
];

/** Charges are kept forever; the parts that only receipts show are not. @returns how many charges it processed. */
async function cutReceiptDetails(queries: Database, until: string): Promise<number> {
  const from = await queries.selectFrom("call_traces_end").select("id").executeTakeFirst();
  const rows = await queries
    .selectFrom("ledger_entries")
    .select("id")
    .where("id", ">", from?.id ?? "")
    .where("id", "<", until)
    .orderBy("id")
    .limit(BATCH_SIZE)
    .execute();
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return 0;
  const isOne = dialectOf(queries).isListed(sql`id`, ids);
  await sql`UPDATE ledger_entries SET trace = NULL WHERE trace IS NOT NULL AND ${isOne}`.execute(queries);
  await queries.updateTable("call_traces_end").set({ id: last }).execute();
  return ids.length;
}

/** Deletes callbacks, the log of their tries, and the address in their task. @returns the number of callbacks. */
async function cutTaskCallbacks(untilMs: number, queries: Database): Promise<number> {
  const over = await queries
    .selectFrom("task_callbacks")
    .select("task_id")
    .where("status", "<>", "pending")
    .where("ended_at_ms", "<=", untilMs)
    .limit(BATCH_SIZE)
    .execute();
  if (over.length === 0) return 0;
  const ids = over.map(({ task_id }) => task_id);
  const { isListed } = dialectOf(queries);
  await queries.deleteFrom("task_callback_tries").where(isListed(sql`task_id`, ids)).execute();
  await queries.deleteFrom("task_callbacks").where(isListed(sql`task_id`, ids)).execute();
  await queries
    .updateTable("tasks")
    .set({ callback_url: null, callback_receiver: null })
    .where(isListed(sql`id`, ids))
    .execute();
  return over.length;
}

/** Deletes expired rows in the background, by a clock that is steady. */
export function openRetention(
  { runtime, logFault }: Pick<StoreOptions, "runtime" | "logFault">,
  changes: Changes,
  { draft, steadyClock }: { readonly draft: RetentionDraft; readonly steadyClock: SteadyClock },
): { close(): Promise<void> } {
  const retention = toRetention(draft);
  const write: Write = (work) => systemChange({ changes }, "retention", work);
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  const pause = async () => {
    await sleep(REST_MS, undefined, { signal: closing.signal }).catch(() => {});
    return !closing.signal.aborted;
  };
  const prune = () => {
    if (!steadyClock.isSteady()) return;
    underWay ??= pruneStore(write, retention, { nowMs: runtime.clock.nowMs(), pause })
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

/** How long stored data is kept, in milliseconds; null: forever. Charges and payments are never deleted. */
interface Retention {
  /** Calls that cost nothing, including samples of refusals, and the parts of any call that only its receipt shows. */
  readonly requestLogMs: number | null;
  readonly refusalCountsMs: number | null;
  readonly auditLogMs: number | null;
  /** Replies that are stored for repeats. Their idempotency keys are valid for 24 hours in any case. */
  readonly keptRepliesMs: number;
  /** Messages of spend alerts and callbacks of tasks that have arrived or were given up. */
  readonly callbacksMs: number | null;
  /** The files of tasks. The tasks themselves are kept. */
  readonly taskOutputsMs: number | null;
  /** Files that were uploaded, and the results of batches, if their maker says nothing else. */
  readonly filesMs: number | null;
}

/** Retention in the configuration file. */
interface RetentionDraft {
  readonly request_log_days?: number | null | undefined;
  readonly refusal_count_days?: number | null | undefined;
  readonly audit_log_days?: number | null | undefined;
  readonly kept_reply_hours?: number | undefined;
  readonly callback_days?: number | null | undefined;
  readonly task_output_days?: number | null | undefined;
  readonly file_days?: number | null | undefined;
}

/** The draft's retention, with defaults for the fields it leaves out. */
export function toRetention(draft: RetentionDraft = {}): Retention {
  const days = (configuredDays: number | null | undefined, usual: number) =>
    configuredDays === null ? null : (configuredDays ?? usual) * DAY_MS;
  return {
    requestLogMs: days(draft.request_log_days, 90),
    refusalCountsMs: days(draft.refusal_count_days, 400),
    auditLogMs: days(draft.audit_log_days, 730),
    keptRepliesMs: (draft.kept_reply_hours ?? 24) * HOUR_MS,
    callbacksMs: days(draft.callback_days, 90),
    taskOutputsMs: days(draft.task_output_days, 30),
    filesMs: days(draft.file_days, 30),
  };
}
