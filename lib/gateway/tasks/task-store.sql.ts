import { sql } from "kysely";
import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { Task } from "@/lib/contract/operations/tasks/task";
import { type Nano, toNano } from "@/lib/money/amount";
import { noteAction, type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { PagedList } from "../lists/paged-list";

type TaskStatus = Task["status"];

export interface TaskFile {
  readonly type: MediaFamily;
  readonly mimeType: string;
  readonly bytes: number;
}

/** What was ordered besides the prompt; a field is null if its family doesn't have it. */
export interface TaskSettings {
  /** `1280x720` */
  readonly size: string | null;
  readonly seconds: number | null;
  readonly quality: string | null;
  readonly count: number;
}

/** A call to a media model, with its state and its results. */
export interface TaskRecord {
  readonly id: string;
  readonly requestId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly model: string;
  readonly family: MediaFamily;
  readonly status: TaskStatus;
  /** Percent; null if its provider reports none. */
  readonly progress: number | null;
  /** Whether the provider may be working on it and can't be asked. */
  readonly isStateUnknown: boolean;
  readonly isCancelRequested: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null for tasks that were created before settings were stored. */
  readonly settings: TaskSettings | null;
  readonly files: readonly TaskFile[];
  readonly areFilesDeleted: boolean;
  /** What was charged; null before the charge, and if nothing was. */
  readonly charged: {
    readonly unit: string;
    /** The units in millionths. */
    readonly units: number;
    readonly amount: Nano;
  } | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

interface TaskFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  /** The keys or members that created them. Null: all. */
  readonly keyIds: readonly string[] | null;
  readonly status?: TaskStatus | undefined;
  readonly model?: string | undefined;
  readonly family?: MediaFamily;
  /** Selects tasks whose files have not been deleted. */
  readonly hasFiles?: boolean;
}

export type TaskStore = ReturnType<typeof createTaskStore>;

/** Ids of tasks sort by creation time. */
export function createTaskStore(reads: Reads) {
  return {
    async find(id: string): Promise<TaskRecord | null> {
      const row = await select(reads).where("task.id", "=", id).executeTakeFirst();
      return row ? toTask(row) : null;
    },
    /** The tasks with these ids that exist, in any order. */
    async findAll(ids: readonly string[]): Promise<TaskRecord[]> {
      const rows = await select(reads)
        .where("task.id", "in", [...ids])
        .execute();
      return rows.map(toTask);
    },
    /** Newest first. */
    pages({ projectIds, keyIds, status, model, family, hasFiles }: TaskFilter): PagedList<TaskRecord> {
      let query = select(reads);
      // Few tasks are unfinished, out of any number: "||" leaves the index of statuses as the only one to use.
      const isFew = status === "queued" || status === "running";
      const [project, key] = isFew
        ? [sql<string>`task.project_id || ''`, sql<string>`task.key_id || ''`]
        : (["task.project_id", "task.key_id"] as const);
      if (projectIds !== null) query = query.where(project, "in", [...projectIds]);
      if (keyIds !== null) query = query.where(key, "in", [...keyIds]);
      if (status !== undefined) query = query.where("task.status", "=", status);
      if (model !== undefined) query = query.where("task.model", "=", model);
      if (family !== undefined) query = query.where("task.family", "=", family);
      if (hasFiles) query = query.where("task.outputs_deleted_at_ms", "is", null);
      return listById(query, { id: "task.id", defaultOrder: "desc" }, toTask);
    },
    /**
     * Requests a cancellation; a task that no process works on is canceled at once. Does nothing to a task that has
     * ended.
     */
    async requestCancel(transaction: Transaction, id: string, atMs: number): Promise<void> {
      const task = await within(transaction)
        .updateTable("tasks")
        .set({ cancel_requested_at_ms: atMs, due_at_ms: atMs })
        .where("id", "=", id)
        .where("ended_at_ms", "is", null)
        .where("cancel_requested_at_ms", "is", null)
        .returning("project_id")
        .executeTakeFirst();
      if (task) await noteAction(transaction, { object: "tasks", id, project_id: task.project_id });
    },
    /** Tasks of any final status that ended before `untilMs` and may still have files, oldest first. */
    async listWithFiles(untilMs: number, limit: number): Promise<string[]> {
      const rows = await selectWithFiles(reads, untilMs).limit(limit).execute();
      return rows.map(({ id }) => id);
    },
    /** Names a video in the audit event of its deletion. */
    async noteDeletedVideo(
      transaction: Transaction,
      { id, projectId: project_id }: Pick<TaskRecord, "id" | "projectId">,
    ): Promise<void> {
      await noteAction(transaction, { object: "tasks", id, project_id });
    },
    async noteFilesDeleted(transaction: Transaction, ids: readonly string[], atMs: number): Promise<void> {
      await within(transaction)
        .updateTable("tasks")
        .set({ outputs_deleted_at_ms: atMs })
        .where("id", "in", [...ids])
        .execute();
    },
  };
}

function selectWithFiles(reads: Reads, untilMs: number) {
  return reads
    .selectFrom("tasks")
    .select("id")
    .where("outputs_deleted_at_ms", "is", null)
    .where("ended_at_ms", "<=", untilMs)
    .orderBy("ended_at_ms");
}

function select(reads: Reads) {
  return reads
    .selectFrom("tasks as task")
    .leftJoin("ledger_entries as charge", (join) =>
      join.on("charge.id", "=", sql<string>`'txn_' || substr(task.request_id, 5)`),
    )
    .select(["task.id", "task.request_id", "task.project_id", "task.key_id", "task.model", "task.family"])
    .select([
      "task.status",
      "progress",
      "is_state_unknown",
      "cancel_requested_at_ms",
      "error",
      "outputs",
      "task.settings",
    ])
    .select(["outputs_deleted_at_ms", "task.created_at_ms", "task.started_at_ms", "ended_at_ms"])
    .select(["charge.unit", "charge.units", sql<string | null>`cast(charge.amount as text)`.as("amount")]);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toTask({ error, outputs, settings, unit, units, amount, ...row }: Row): TaskRecord {
  const isCharged = unit !== null && units !== null && amount !== null;
  return {
    id: row.id,
    requestId: row.request_id,
    projectId: row.project_id,
    keyId: row.key_id,
    model: row.model,
    family: row.family,
    status: row.status,
    progress: row.progress,
    isStateUnknown: row.is_state_unknown === 1,
    isCancelRequested: row.cancel_requested_at_ms !== null,
    error: error === null ? null : (JSON.parse(error) as TaskRecord["error"]),
    settings: settings === null ? null : (JSON.parse(settings) as TaskRecord["settings"]),
    files: outputs === null ? [] : (JSON.parse(outputs) as TaskFile[]),
    areFilesDeleted: row.outputs_deleted_at_ms !== null,
    charged: isCharged ? { unit, units, amount: toNano(BigInt(amount)) } : null,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}
