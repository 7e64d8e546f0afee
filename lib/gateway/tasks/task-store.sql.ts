import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import { noteAction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { TaskFile, TaskRecord, TaskStore } from "./task-store";

/** Ids of tasks sort by creation time. */
export function createSqliteTaskStore(reads: Reads): TaskStore {
  return {
    async find(id) {
      const row = await select(reads).where("task.id", "=", id).executeTakeFirst();
      return row ? toTask(row) : null;
    },
    async findAll(ids) {
      const rows = await select(reads)
        .where("task.id", "in", [...ids])
        .execute();
      return rows.map(toTask);
    },
    pages({ projectIds, keyIds, status, model, family, hasFiles }) {
      let query = select(reads);
      // Few tasks are unfinished, out of any number: "+" leaves the index of statuses as the only one to use.
      const isFew = status === "queued" || status === "running";
      const [project, key] = isFew
        ? [sql<string>`+task.project_id`, sql<string>`+task.key_id`]
        : (["task.project_id", "task.key_id"] as const);
      if (projectIds !== null) query = query.where(project, "in", [...projectIds]);
      if (keyIds !== null) query = query.where(key, "in", [...keyIds]);
      if (status !== undefined) query = query.where("task.status", "=", status);
      if (model !== undefined) query = query.where("task.model", "=", model);
      if (family !== undefined) query = query.where("task.family", "=", family);
      if (hasFiles) query = query.where("task.outputs_deleted_at_ms", "is", null);
      return listById(query, { id: "task.id", defaultOrder: "desc" }, toTask);
    },
    async requestCancel(transaction, id, atMs) {
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
    async listWithFiles(untilMs, limit) {
      const rows = await reads
        .selectFrom("tasks")
        .select("id")
        .where("outputs_deleted_at_ms", "is", null)
        .where("ended_at_ms", "<=", untilMs)
        .orderBy("ended_at_ms")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async noteDeletedVideo(transaction, { id, projectId: project_id }) {
      await noteAction(transaction, { object: "tasks", id, project_id });
    },
    async noteFilesDeleted(transaction, ids, atMs) {
      await within(transaction)
        .updateTable("tasks")
        .set({ outputs_deleted_at_ms: atMs })
        .where("id", "in", [...ids])
        .execute();
    },
  };
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
