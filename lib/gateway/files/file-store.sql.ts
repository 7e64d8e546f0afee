import type { filePurposes } from "@/lib/contract/calls/file-purposes";
import { noteAction, type Transaction, within } from "../changes/transactions.sql";
import type { Database, Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { PagedList } from "../lists/paged-list";

type FilePurpose = (typeof filePurposes)[number];

export interface FileRecord {
  readonly id: string;
  readonly projectId: string;
  /** The key or member that uploaded it, or whose batch wrote it; null for files from before this was stored. */
  readonly keyId: string | null;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

interface FileFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  /** The keys that created them. Null: all keys and members. */
  readonly keyIds: readonly string[] | null;
  readonly purpose?: FilePurpose | undefined;
}

/** The metadata of files; `FileStorage` stores their bytes. */
export type FileStore = ReturnType<typeof createFileStore>;

/** Ids of files sort by creation time. */
export function createFileStore(reads: Reads) {
  return {
    async find(id: string): Promise<FileRecord | null> {
      const row = await select(reads).where("id", "=", id).executeTakeFirst();
      return row ? toFile(row) : null;
    },
    /** Whether a batch that has not ended reads the file. */
    async isRead(id: string): Promise<boolean> {
      const batch = await batchesUnderWay(reads).where("input_file_id", "=", id).executeTakeFirst();
      return batch !== undefined;
    },
    /** Newest first. */
    pages({ projectIds, keyIds, purpose }: FileFilter): PagedList<FileRecord> {
      let query = select(reads);
      if (projectIds !== null) query = query.where("project_id", "in", [...projectIds]);
      if (keyIds !== null) query = query.where("key_id", "in", [...keyIds]);
      if (purpose !== undefined) query = query.where("purpose", "=", purpose);
      return listById(query, { id: "id", defaultOrder: "desc" }, toFile);
    },
    /** The number and bytes of a project's files, including uploads in progress with the bytes that they count with. */
    async storedBy(projectId: string): Promise<{ readonly files: number; readonly bytes: number }> {
      const { files, bytes } = await selectUsedStorage(reads, projectId).executeTakeFirstOrThrow();
      return { files, bytes: bytes ?? 0 };
    },
    /** Records an upload in progress with the bytes that it reserves, so that it is found if the process dies. */
    async begin(transaction: Transaction, file: FileRecord): Promise<void> {
      await within(transaction)
        .insertInto("files")
        .values({ ...toColumns(file), stored_at_ms: null })
        .execute();
    },
    /** Changes the bytes that an upload in progress counts with. */
    async reserve(transaction: Transaction, id: string, bytes: number): Promise<void> {
      await updateUpload(within(transaction), id).set({ bytes }).execute();
    },
    /** Makes the file visible, once its bytes are on disk. */
    async complete(transaction: Transaction, file: FileRecord, atMs: number): Promise<void> {
      await upsertFile(within(transaction), file, atMs).execute();
    },
    /**
     * Expires files now, except those that a batch reads. No batch begins to read an expired file. @returns the expired
     * ones.
     */
    async expire(transaction: Transaction, ids: readonly string[], nowMs: number): Promise<string[]> {
      const rows = await expire(within(transaction), ids, nowMs).execute();
      return rows.map(({ id }) => id);
    },
    /**
     * Expires a file for whoever asks for its deletion. Does nothing to a file that has expired, or that a batch reads.
     */
    async requestDelete(transaction: Transaction, id: string, nowMs: number): Promise<void> {
      const file = await expire(within(transaction), [id], nowMs)
        .where(({ or, eb }) => or([eb("expires_at_ms", "is", null), eb("expires_at_ms", ">", nowMs)]))
        .executeTakeFirst();
      if (file) await noteAction(transaction, { object: "files", id, project_id: file.project_id });
    },
    async delete(transaction: Transaction, ids: readonly string[]): Promise<void> {
      await within(transaction)
        .deleteFrom("files")
        .where("id", "in", [...ids])
        .execute();
    },
    /** Expired files, and uploads begun before `begunMs` that never finished, except files that a batch reads. */
    async listOver(nowMs: number, begunMs: number, limit: number): Promise<string[]> {
      const rows = await selectOver(reads, nowMs, begunMs).limit(limit).execute();
      return rows.map(({ id }) => id);
    },
  };
}

function selectUsedStorage(reads: Reads, projectId: string) {
  return reads
    .selectFrom("files")
    .select(({ fn }) => [fn.countAll<number>().as("files"), fn.sum<number | null>("bytes").as("bytes")])
    .where("project_id", "=", projectId);
}

function updateUpload(queries: Database, id: string) {
  return queries.updateTable("files").where("id", "=", id).where("stored_at_ms", "is", null);
}

function upsertFile(queries: Database, file: FileRecord, storedAtMs: number) {
  const columns = { ...toColumns(file), stored_at_ms: storedAtMs };
  return queries
    .insertInto("files")
    .values(columns)
    .onConflict((row) => row.column("id").doUpdateSet(columns));
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

/** The SHA-256 of each file that was moved to the bucket, in hexadecimal digits. */
export type DigestStore = ReturnType<typeof createDigestStore>;

export function createDigestStore(reads: Reads) {
  return {
    /** Null for a file that was moved before digests were stored. */
    async find(id: string, position: number): Promise<string | null> {
      const row = await reads
        .selectFrom("stored_objects")
        .select("sha256")
        .where("id", "=", id)
        .where("position", "=", position)
        .executeTakeFirst();
      return row?.sha256 ?? null;
    },
    async save(transaction: Transaction, id: string, position: number, sha256: string): Promise<void> {
      await within(transaction)
        .insertInto("stored_objects")
        .values({ id, position, sha256 })
        .onConflict((conflict) => conflict.columns(["id", "position"]).doUpdateSet({ sha256 }))
        .execute();
    },
    async delete(transaction: Transaction, id: string): Promise<void> {
      await within(transaction).deleteFrom("stored_objects").where("id", "=", id).execute();
    },
  };
}
