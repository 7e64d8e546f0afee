import { sql } from "kysely";
import { toNano } from "@/lib/money/amount";
import type { Write } from "../changes/change";
import { noteAction, within } from "../changes/transactions.sql";
import { WORK_CLAIM_MS } from "../claim-times";
import type { Database, Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { FileStore } from "../files/file-store.sql";
import type {
  BatchClaims,
  BatchPaceRecord,
  BatchProgress,
  BatchRecord,
  BatchStore,
  ClaimRequest,
} from "./batch-store";

/** Ids of batches sort by creation time. */
export function createSqliteBatchStore(reads: Reads): BatchStore {
  const select = () => reads.selectFrom("batches").selectAll();
  return {
    async find(id) {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row ? toBatch(row) : null;
    },
    pages({ projectIds, keyIds, status, model }) {
      let query = select();
      if (projectIds !== null) query = query.where("project_id", "in", [...projectIds]);
      if (keyIds !== null) query = query.where("key_id", "in", [...keyIds]);
      if (status !== undefined) query = query.where("status", "=", status);
      if (model !== undefined) query = query.where("model", "=", model);
      return listById(query, { id: "id", defaultOrder: "desc" }, toBatch);
    },
    async listLineCosts(requestIds) {
      // A charge has the same id as its call, with another prefix.
      const ids = requestIds.map((id) => id.replace("req_", "txn_"));
      const rows = await reads
        .selectFrom("ledger_entries")
        .select(["id", "prompt_tokens", "completion_tokens", "cached_tokens"])
        .select(sql<string>`cast(amount AS text)`.as("charged"))
        .where("kind", "=", "charge")
        .where(sql<boolean>`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
        .execute();
      return rows.map((row) => ({
        requestId: row.id.replace("txn_", "req_"),
        charged: toNano(BigInt(row.charged)),
        inputTokens: row.prompt_tokens ?? 0,
        outputTokens: row.completion_tokens ?? 0,
        cachedTokens: row.cached_tokens ?? 0,
      }));
    },
    async countUnderWay(projectId) {
      const { batches } = await reads
        .selectFrom("batches")
        .select(({ fn }) => fn.countAll<number>().as("batches"))
        .where("project_id", "=", projectId)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return batches;
    },
    async insert(transaction, batch) {
      if (!(await insertBatch(within(transaction), batch))) return false;
      await noteAction(transaction, { object: "batches", id: batch.id, project_id: batch.projectId });
      return true;
    },
    async requestCancel(transaction, id, atMs) {
      const batch = await within(transaction)
        .updateTable("batches")
        .set({ status: "cancelling", cancel_requested_at_ms: atMs })
        .where("id", "=", id)
        .where("status", "=", "in_progress")
        .returning("project_id")
        .executeTakeFirst();
      if (batch) await noteAction(transaction, { object: "batches", id, project_id: batch.project_id });
    },
  };
}

async function insertBatch(queries: Database, batch: BatchRecord): Promise<boolean> {
  const input = await queries
    .selectFrom("files")
    .select("id")
    .where("id", "=", batch.inputFileId)
    .where(({ or, eb }) => or([eb("expires_at_ms", "is", null), eb("expires_at_ms", ">", batch.createdAtMs)]))
    .executeTakeFirst();
  if (!input) return false;
  await queries
    .insertInto("batches")
    .values({
      id: batch.id,
      project_id: batch.projectId,
      key_id: batch.keyId,
      endpoint: batch.endpoint,
      model: batch.model,
      metadata: batch.metadata && JSON.stringify(batch.metadata),
      input_file_id: batch.inputFileId,
      input_bytes: batch.inputBytes,
      output_file_id: batch.outputFileId,
      error_file_id: batch.errorFileId,
      status: batch.status,
      total: batch.total,
      counted_tokens: batch.countedTokens,
      output_expires_after_ms: batch.outputExpiresAfterMs,
      created_at_ms: batch.createdAtMs,
      expires_at_ms: batch.expiresAtMs,
      ...toColumns(batch),
    })
    .execute();
  return true;
}

/** Creates claims on batches for the process `owner`. */
export function createSqliteBatchClaims(
  reads: Reads,
  write: Write,
  { owner, files }: { owner: string; files: Pick<FileStore, "complete"> },
): BatchClaims {
  const update = (id: string, columns: Partial<Tables["batches"]>) =>
    write(async (transaction) => {
      const { numUpdatedRows } = await within(transaction)
        .updateTable("batches")
        .set(columns)
        .where("id", "=", id)
        .where("claimed_by", "=", owner)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    });
  return {
    async claim(nowMs, request) {
      // Reads first: usually there is nothing to claim, and a read blocks no writer.
      if (!(await selectFree(reads, nowMs, { ...request, limit: 1 }).executeTakeFirst())) return [];
      return write(async (transaction) => {
        const queries = within(transaction);
        const rows = await queries
          .updateTable("batches")
          .set({ claimed_by: owner, claimed_until_ms: nowMs + WORK_CLAIM_MS })
          .where("id", "in", selectFree(queries, nowMs, request))
          .returningAll()
          .execute();
        return rows.map(toBatch);
      });
    },
    renew: (id, nowMs) => update(id, { claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    save: (id, progress, nowMs) =>
      update(id, { ...toColumns(progress), claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    notePace: async (id, pace) => void (await update(id, { pace: JSON.stringify(pace) })),
    end: (id, progress, { status, atMs, files: resultFiles }) =>
      write(async (transaction) => {
        const endColumns = { status, ended_at_ms: atMs, claimed_by: null, claimed_until_ms: null };
        const { numUpdatedRows } = await within(transaction)
          .updateTable("batches")
          .set({ ...toColumns(progress), ...endColumns })
          .where("id", "=", id)
          .where("claimed_by", "=", owner)
          .where("ended_at_ms", "is", null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        for (const file of resultFiles) await files.complete(transaction, file, atMs);
        return true;
      }),
    async releaseOthers() {
      await write((transaction) =>
        within(transaction)
          .updateTable("batches")
          .set({ claimed_by: null, claimed_until_ms: null })
          .where("claimed_by", "<>", owner)
          .execute(),
      );
    },
  };
}

/** Batches that can be claimed, the oldest first. */
function selectFree(queries: Reads, nowMs: number, { limit, underWay, fullProjects }: ClaimRequest) {
  return queries
    .selectFrom("batches")
    .select("id")
    .where("ended_at_ms", "is", null)
    .where("id", "not in", underWay)
    .where(({ or, eb }) => or([eb("claimed_by", "is", null), eb("claimed_until_ms", "<=", nowMs)]))
    .where(({ or, eb }) =>
      or([
        eb("cancel_requested_at_ms", "is not", null),
        eb("expires_at_ms", "<=", nowMs),
        ...(fullProjects === "all" ? [] : [eb("project_id", "not in", fullProjects)]),
      ]),
    )
    .orderBy("created_at_ms")
    .limit(limit);
}

function toColumns(progress: BatchProgress) {
  return {
    read_bytes: progress.readBytes,
    read_lines: progress.readLines,
    output_bytes: progress.outputBytes,
    error_bytes: progress.errorBytes,
    completed: progress.completed,
    failed: progress.failed,
    input_tokens: progress.inputTokens,
    cached_tokens: progress.cachedTokens,
    output_tokens: progress.outputTokens,
    charged: progress.charged,
  };
}

function toBatch(row: Tables["batches"]): BatchRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    keyId: row.key_id,
    endpoint: row.endpoint,
    model: row.model,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
    inputFileId: row.input_file_id,
    inputBytes: row.input_bytes,
    outputFileId: row.output_file_id,
    errorFileId: row.error_file_id,
    status: row.status,
    total: row.total,
    countedTokens: row.counted_tokens,
    outputExpiresAfterMs: row.output_expires_after_ms,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    cancelRequestedAtMs: row.cancel_requested_at_ms,
    endedAtMs: row.ended_at_ms,
    pace: row.pace === null ? null : (JSON.parse(row.pace) as BatchPaceRecord),
    readBytes: row.read_bytes,
    readLines: row.read_lines,
    outputBytes: row.output_bytes,
    errorBytes: row.error_bytes,
    completed: row.completed,
    failed: row.failed,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    charged: row.charged === null ? null : toNano(BigInt(row.charged)),
  };
}
