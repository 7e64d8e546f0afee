import { sql } from "kysely";
import type { Write } from "../../changes/change";
import { noteAction, type Transaction, within } from "../../changes/transactions.sql";
import { CALLBACK_CLAIM_MS } from "../../claim-times";
import type { Reads } from "../../database/database";
import { isDue } from "../../database/is-due";
import { openTaskText } from "../../ledger/funds";
import type { TaskStore } from "../task-store.sql";
import { writeEndedMessage } from "../tasks";
import {
  type Busy,
  type Callback,
  type CallbackClaims,
  LONGEST_WAIT_MS,
  MAX_CONCURRENT_PER_PROJECT,
} from "./callback-claims";
import type { SecretVersion } from "./post-callback";

/** A message about the end of a task or a response that is to be delivered. */
export interface ProjectCallback extends Callback {
  readonly receiver: string;
  /** Null if it can no longer be decrypted. */
  readonly url: string | null;
  readonly projectId: string;
  readonly secret: SecretVersion;
}

/** The deliveries of a task's callback. */
export interface CallbackLog {
  readonly url: string | null;
  readonly status: "pending" | "delivered" | "exhausted";
  readonly nextTryAtMs: number | null;
  /** Oldest first, including those before a manual resend. */
  readonly tries: readonly {
    readonly atMs: number;
    readonly tookMs: number;
    readonly status: number | null;
    readonly failure: string | null;
  }[];
}

/** The maximum number of callbacks being sent to one receiver. */
export const MAX_CONCURRENT_PER_RECEIVER = 4;
/** The number of tries stored per callback: the last ones. */
const MAX_TRIES = 100;
const FIRST_SECRET: SecretVersion = { version: 1, rotationsMs: [] };

export type TaskCallbackStore = ReturnType<typeof createTaskCallbackStore>;

export function createTaskCallbackStore(reads: Reads, secret: Uint8Array) {
  return {
    /** Null for a task that has not ended or has no callback address. */
    async find(taskId: string): Promise<CallbackLog | null> {
      const row = await reads
        .selectFrom("task_callbacks")
        .select(["url", "status", "due_at_ms"])
        .where("task_id", "=", taskId)
        .executeTakeFirst();
      if (!row) return null;
      const tries = await reads
        .selectFrom("task_callback_tries")
        .select(["at_ms as atMs", "took_ms as tookMs", "status", "failure"])
        .where("task_id", "=", taskId)
        .orderBy("seq")
        .execute();
      const url = openTaskText(row.url, taskId, secret);
      return { url, status: row.status, nextTryAtMs: row.due_at_ms, tries };
    },
    /** Queues the message again as if it were new. */
    async sendAgain(transaction: Transaction, taskId: string, atMs: number): Promise<void> {
      await within(transaction)
        .updateTable("task_callbacks")
        .set({ status: "pending", tries: 0, due_at_ms: atMs, claimed_by: null, claimed_until_ms: null })
        .where("task_id", "=", taskId)
        .execute();
      const { project_id } = await within(transaction)
        .selectFrom("tasks")
        .select("project_id")
        .where("id", "=", taskId)
        .executeTakeFirstOrThrow();
      await noteAction(transaction, { object: "tasks", id: taskId, project_id });
    },
    findSecret: (projectId: string): Promise<SecretVersion> => findSecret(reads, projectId),
    async saveSecret(
      transaction: Transaction,
      project_id: string,
      { version, rotationsMs: [last = 0, ...earlier] }: SecretVersion,
    ): Promise<void> {
      const secretColumns = { version, rotated_at_ms: last, earlier_rotations_ms: JSON.stringify(earlier) };
      await within(transaction)
        .insertInto("callback_secrets")
        .values({ project_id, ...secretColumns })
        .onConflict((row) => row.column("project_id").doUpdateSet(secretColumns))
        .execute();
    },
  };
}

interface ClaimContext {
  readonly owner: string;
  readonly secret: Uint8Array;
  readonly tasks: Pick<TaskStore, "find">;
  readonly currency: string;
}

/** Creates claims on the callbacks of tasks for the process `owner`. */
export function createTaskCallbackClaims(
  reads: Reads,
  write: Write,
  context: ClaimContext,
): CallbackClaims<ProjectCallback> {
  const { owner } = context;
  return {
    async claimDue(nowMs, limit, busy) {
      // Reads first: usually nothing is due, and a read blocks no writer.
      if (!(await selectDue(reads, owner, nowMs, busy).limit(1).executeTakeFirst())) return [];
      const claimedRows = await write((transaction) => {
        const queries = within(transaction);
        const dueTasks = queries
          .selectFrom(selectDue(queries, owner, nowMs, busy).as("due"))
          .select("task_id")
          .where("receiver_rank", "<=", MAX_CONCURRENT_PER_RECEIVER)
          .where("project_rank", "<=", MAX_CONCURRENT_PER_PROJECT)
          .orderBy("due_at_ms")
          .limit(limit);
        return queries
          .updateTable("task_callbacks")
          .set({ claimed_by: owner, claimed_until_ms: nowMs + CALLBACK_CLAIM_MS })
          .where("task_id", "in", dueTasks)
          .returning(["task_id", "receiver", "url", "tries"])
          .execute();
      });
      return Promise.all(claimedRows.map((row) => toCallback(reads, context, row)));
    },
    save: (id, { status, tries, triedAtMs, tookMs, httpStatus, dueAtMs, failure }) =>
      write(async (transaction) => {
        const queries = within(transaction);
        const outcome = {
          status,
          tries,
          due_at_ms: dueAtMs,
          ended_at_ms: dueAtMs === null ? triedAtMs : null,
        };
        const { numUpdatedRows } = await queries
          .updateTable("task_callbacks")
          .set({ ...outcome, claimed_by: null, claimed_until_ms: null })
          .where("task_id", "=", id)
          .where("claimed_by", "=", owner)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        const tryColumns = { task_id: id, at_ms: triedAtMs, took_ms: tookMs, status: httpStatus, failure };
        await queries.insertInto("task_callback_tries").values(tryColumns).execute();
        await deleteOldTries(queries, id);
        return true;
      }),
    async releaseOthers() {
      await write((transaction) =>
        within(transaction)
          .updateTable("task_callbacks")
          .set({ claimed_by: null, claimed_until_ms: null })
          .where("claimed_by", "<>", owner)
          .execute(),
      );
    },
  };
}

/** Needed because a callback can be sent again any number of times. */
async function deleteOldTries(queries: ReturnType<typeof within>, taskId: string): Promise<void> {
  const taskTries = queries.selectFrom("task_callback_tries").select("seq").where("task_id", "=", taskId);
  await queries
    .deleteFrom("task_callback_tries")
    .where("task_id", "=", taskId)
    .where("seq", "<=", taskTries.orderBy("seq", "desc").limit(1).offset(MAX_TRIES))
    .execute();
}

/** `receiver_rank` numbers the due callbacks of each receiver, `project_rank` those of each project. */
function selectDue(queries: Reads, owner: string, nowMs: number, { receivers, projects }: Busy) {
  const rankWithin = (column: "receiver" | "task.project_id") =>
    sql<number>`row_number() OVER (PARTITION BY ${sql.ref(column)} ORDER BY callback.due_at_ms, task_id)`;
  return queries
    .selectFrom("task_callbacks as callback")
    .innerJoin("tasks as task", "task.id", "task_id")
    .select(["task_id", "callback.due_at_ms"])
    .select([rankWithin("receiver").as("receiver_rank"), rankWithin("task.project_id").as("project_rank")])
    .where("callback.status", "=", "pending")
    .where(isDue("callback.due_at_ms", nowMs, LONGEST_WAIT_MS))
    .where("receiver", "not in", [...receivers, ""])
    .where("task.project_id", "not in", [...projects, ""])
    .where(({ or, eb }) =>
      or([
        eb("callback.claimed_by", "is", null),
        eb("callback.claimed_by", "=", owner),
        eb("callback.claimed_until_ms", "<=", nowMs),
      ]),
    );
}

async function toCallback(
  reads: Reads,
  { tasks, currency, secret }: ClaimContext,
  row: { readonly task_id: string; readonly receiver: string; readonly url: string; readonly tries: number },
): Promise<ProjectCallback> {
  const task = await tasks.find(row.task_id);
  if (!task) throw new Error(`There is no task ${row.task_id}`);
  return {
    id: row.task_id,
    body: writeEndedMessage(task, currency),
    tries: row.tries,
    receiver: row.receiver,
    url: openTaskText(row.url, row.task_id, secret),
    projectId: task.projectId,
    secret: await findSecret(reads, task.projectId),
  };
}

export async function findSecret(reads: Reads, projectId: string): Promise<SecretVersion> {
  const row = await reads
    .selectFrom("callback_secrets")
    .select(["version", "rotated_at_ms", "earlier_rotations_ms"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row) return FIRST_SECRET;
  const rotationsMs = [row.rotated_at_ms, ...(JSON.parse(row.earlier_rotations_ms) as number[])];
  return { version: row.version, rotationsMs };
}
