import { noteAction, within } from "../changes/transactions.sql";
import type { Database, Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { FileRecord, FileStore } from "./file-store";

/** Ids of files sort by creation time. */
export function createSqliteFileStore(reads: Reads): FileStore {
  return {
    async find(id) {
      const row = await select(reads).where("id", "=", id).executeTakeFirst();
      return row ? toFile(row) : null;
    },
    async isRead(id) {
      const batch = await batchesUnderWay(reads).where("input_file_id", "=", id).executeTakeFirst();
      return batch !== undefined;
    },
    pages({ projectIds, keyIds, purpose }) {
      let query = select(reads);
      if (projectIds !== null) query = query.where("project_id", "in", [...projectIds]);
      if (keyIds !== null) query = query.where("key_id", "in", [...keyIds]);
      if (purpose !== undefined) query = query.where("purpose", "=", purpose);
      return listById(query, { id: "id", defaultOrder: "desc" }, toFile);
    },
    async storedBy(projectId) {
      const { files, bytes } = await reads
        .selectFrom("files")
        .select(({ fn }) => [fn.countAll<number>().as("files"), fn.sum<number | null>("bytes").as("bytes")])
        .where("project_id", "=", projectId)
        .executeTakeFirstOrThrow();
      return { files, bytes: bytes ?? 0 };
    },
    async begin(transaction, file) {
      await within(transaction)
        .insertInto("files")
        .values({ ...toColumns(file), stored_at_ms: null })
        .execute();
    },
    async reserve(transaction, id, bytes) {
      await within(transaction)
        .updateTable("files")
        .set({ bytes })
        .where("id", "=", id)
        .where("stored_at_ms", "is", null)
        .execute();
    },
    async complete(transaction, file, atMs) {
      const columns = { ...toColumns(file), stored_at_ms: atMs };
      await within(transaction)
        .insertInto("files")
        .values(columns)
        .onConflict((row) => row.column("id").doUpdateSet(columns))
        .execute();
    },
    async expire(transaction, ids, nowMs) {
      const rows = await expire(within(transaction), ids, nowMs).execute();
      return rows.map(({ id }) => id);
    },
    async requestDelete(transaction, id, nowMs) {
      const file = await expire(within(transaction), [id], nowMs)
        .where(({ or, eb }) => or([eb("expires_at_ms", "is", null), eb("expires_at_ms", ">", nowMs)]))
        .executeTakeFirst();
      if (file) await noteAction(transaction, { object: "files", id, project_id: file.project_id });
    },
    async delete(transaction, ids) {
      await within(transaction)
        .deleteFrom("files")
        .where("id", "in", [...ids])
        .execute();
    },
    async listOver(nowMs, begunMs, limit) {
      const rows = await selectOver(reads, nowMs, begunMs).limit(limit).execute();
      return rows.map(({ id }) => id);
    },
  };
}

function expire(queries: Database, ids: readonly string[], nowMs: number) {
  return queries
    .updateTable("files")
    .set({ expires_at_ms: nowMs })
    .where("id", "in", [...ids])
    .where("id", "not in", batchesUnderWay(queries))
    .returning(["id", "project_id"]);
}

function selectOver(reads: Reads, nowMs: number, begunMs: number) {
  return reads
    .selectFrom("files")
    .select("id")
    .where(({ or, eb, and }) =>
      or([
        eb("expires_at_ms", "<=", nowMs),
        and([eb("stored_at_ms", "is", null), eb("created_at_ms", "<=", begunMs)]),
      ]),
    )
    .where("id", "not in", batchesUnderWay(reads));
}

/** Selects the ids of files that unfinished batches read. */
function batchesUnderWay(reads: Reads) {
  return reads.selectFrom("batches").select("input_file_id").where("ended_at_ms", "is", null);
}

function select(reads: Reads) {
  return reads.selectFrom("files").selectAll().where("stored_at_ms", "is not", null);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toColumns(file: FileRecord) {
  const { id, projectId, keyId, purpose, filename, bytes, createdAtMs, expiresAtMs } = file;
  const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs };
  return { id, project_id: projectId, key_id: keyId, purpose, filename, bytes, ...times };
}

function toFile(row: Row): FileRecord {
  const { id, purpose, filename, bytes } = row;
  const times = { createdAtMs: row.created_at_ms, expiresAtMs: row.expires_at_ms };
  return { id, projectId: row.project_id, keyId: row.key_id, purpose, filename, bytes, ...times };
}
