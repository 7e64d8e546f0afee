import { sql } from "kysely";
import type { batchStatuses } from "@/lib/contract/calls/task-statuses";
import type { BatchEndpoint, BatchWait } from "@/lib/contract/operations/tasks/batches";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Write } from "../changes/change";
import { noteAction, type Transaction, within } from "../changes/transactions.sql";
import { WORK_CLAIM_MS } from "../claim-times";
import type { Database, Reads } from "../database/database";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { FileStore } from "../files/file-store.sql";
import type { PagedList } from "../lists/paged-list";
import type { ResultFile } from "./result-files";

type BatchStatus = (typeof batchStatuses)[number];

/** The progress of a batch: the answered part of its input, and the present length of its result files. */
export interface BatchProgress {
  readonly readBytes: number;
  readonly readLines: number;
  readonly outputBytes: number;
  readonly errorBytes: number;
  readonly completed: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** The sum of its lines' charges; null for batches that are older than this field. */
  readonly charged: Nano | null;
}

/** What a line has cost, as the ledger has it. */
export interface LineCost {
  readonly requestId: string;
  readonly charged: Nano;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

export const NO_PROGRESS: BatchProgress = {
  readBytes: 0,
  readLines: 0,
  outputBytes: 0,
  errorBytes: 0,
  completed: 0,
  failed: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  charged: ZERO,
};

/** How fast a batch's lines are answered, as its process last stored it. */
interface BatchPaceRecord {
  /** Lines answered in the 60 seconds before `atMs`. */
  readonly linesPerMinute: number;
  readonly waitsFor: BatchWait | null;
  readonly atMs: number;
}

export interface BatchRecord extends BatchProgress {
  readonly id: string;
  readonly projectId: string;
  /** The key, or the member, that its calls are charged to. */
  readonly keyId: string;
  readonly endpoint: BatchEndpoint;
  readonly model: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly inputFileId: string;
  readonly inputBytes: number;
  /** The ids of the result files, which exist once the batch has ended. */
  readonly outputFileId: string;
  readonly errorFileId: string;
  readonly status: BatchStatus;
  readonly total: number;
  /** The tokens that its creation counted in batch_1_day_max_input_tokens. */
  readonly countedTokens: number;
  readonly outputExpiresAfterMs: number | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly cancelRequestedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Null until it has begun. */
  readonly pace: BatchPaceRecord | null;
}

interface BatchFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  /** The keys that created them. Null: all keys and members. */
  readonly keyIds: readonly string[] | null;
  readonly status?: BatchStatus | undefined;
  readonly model?: string | undefined;
}

/** How a batch ends, and the files of its results: stored in one transaction. */
export interface BatchEnd {
  readonly status: "completed" | "expired" | "cancelled";
  readonly atMs: number;
  readonly files: readonly ResultFile[];
}

/** Which batches a process wants. */
interface ClaimRequest {
  readonly limit: number;
  /**
   * Batches that this process is running. They are never claimed, even if their claims expired while the machine slept:
   * a second run would overwrite the results of the first.
   */
  readonly underWay: readonly string[];
  /** These projects get only batches claimed that must be ended: canceled ones, and batches out of time. */
  readonly fullProjects: readonly string[] | "all";
}

export type BatchStore = ReturnType<typeof createBatchStore>;

/** Ids of batches sort by creation time. */
export function createBatchStore(reads: Reads) {
  const select = () => reads.selectFrom("batches").selectAll();
  return {
    async find(id: string): Promise<BatchRecord | null> {
      const row = await select().where("id", "=", id).executeTakeFirst();
      return row ? toBatch(row) : null;
    },
    /** Newest first. */
    pages({ projectIds, keyIds, status, model }: BatchFilter): PagedList<BatchRecord> {
      let query = select();
      if (projectIds !== null) query = query.where("project_id", "in", [...projectIds]);
      if (keyIds !== null) query = query.where("key_id", "in", [...keyIds]);
      if (status !== undefined) query = query.where("status", "=", status);
      if (model !== undefined) query = query.where("model", "=", model);
      return listById(query, { id: "id", defaultOrder: "desc" }, toBatch);
    },
    /** The charges of these calls. A call that cost nothing has no charge. */
    async listLineCosts(requestIds: readonly string[]): Promise<LineCost[]> {
      // A charge has the same id as its call, with another prefix.
      const ids = requestIds.map((id) => id.replace("req_", "txn_"));
      const rows = await reads
        .selectFrom("ledger_entries")
        .select(["id", "prompt_tokens", "completion_tokens", "cached_tokens"])
        .select(sql<string>`cast(amount AS text)`.as("charged"))
        .where("kind", "=", "charge")
        .where("id", "in", ids)
        .execute();
      return rows.map((row) => ({
        requestId: row.id.replace("txn_", "req_"),
        charged: toNano(BigInt(row.charged)),
        inputTokens: row.prompt_tokens ?? 0,
        outputTokens: row.completion_tokens ?? 0,
        cachedTokens: row.cached_tokens ?? 0,
      }));
    },
    async countUnderWay(projectId: string): Promise<number> {
      const { batches } = await reads
        .selectFrom("batches")
        .select(({ fn }) => fn.countAll<number>().as("batches"))
        .where("project_id", "=", projectId)
        .where("ended_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return batches;
    },
    /** @returns false, with nothing stored, if the input file has expired or been deleted. */
    async insert(transaction: Transaction, batch: BatchRecord): Promise<boolean> {
      if (!(await insertBatch(within(transaction), batch))) return false;
      await noteAction(transaction, { object: "batches", id: batch.id, project_id: batch.projectId });
      return true;
    },
    /** Does nothing to a batch that has ended. */
    async requestCancel(transaction: Transaction, id: string, atMs: number): Promise<void> {
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

const UNCLAIMED = { claimed_by: null, claimed_until_ms: null };

/** Which process runs which batch. Claims expire in case it dies. */
export type BatchClaims = ReturnType<typeof createBatchClaims>;

/** Creates claims on batches for the process `owner`. */
export function createBatchClaims(
  reads: Reads,
  write: Write,
  { owner, files }: { owner: string; files: Pick<FileStore, "complete"> },
) {
  const updateWithin = async (transaction: Transaction, id: string, columns: Partial<Tables["batches"]>) => {
    const { numUpdatedRows } = await within(transaction)
      .updateTable("batches")
      .set(columns)
      .where("id", "=", id)
      .where("claimed_by", "=", owner)
      .where("ended_at_ms", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  };
  const update = (id: string, columns: Partial<Tables["batches"]>) =>
    write((transaction) => updateWithin(transaction, id, columns));
  return {
    /** Claims the oldest batches that have neither ended nor been claimed by another process. */
    async claim(nowMs: number, request: ClaimRequest): Promise<BatchRecord[]> {
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
    /** Extends a claim. @returns false if another process has taken the batch over. */
    renew: (id: string, nowMs: number): Promise<boolean> =>
      update(id, { claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    /** @returns false, with nothing stored, if another process has taken the batch over. */
    save: (id: string, progress: BatchProgress, nowMs: number): Promise<boolean> =>
      update(id, { ...toColumns(progress), claimed_until_ms: nowMs + WORK_CLAIM_MS }),
    /** Does nothing if another process has taken the batch over. */
    notePace: async (id: string, pace: BatchPaceRecord): Promise<void> =>
      void (await update(id, { pace: JSON.stringify(pace) })),
    /** @returns false, with nothing stored, if another process has taken the batch over. */
    end: (
      id: string,
      progress: BatchProgress,
      { status, atMs, files: resultFiles }: BatchEnd,
    ): Promise<boolean> =>
      write(async (transaction) => {
        const columns = { ...toColumns(progress), status, ended_at_ms: atMs, ...UNCLAIMED };
        if (!(await updateWithin(transaction, id, columns))) return false;
        for (const file of resultFiles) await files.complete(transaction, file, atMs);
        return true;
      }),
    /** Ends all other processes' claims. Call it only while no other process runs. */
    async releaseOthers(): Promise<void> {
      await write((transaction) =>
        within(transaction).updateTable("batches").set(UNCLAIMED).where("claimed_by", "<>", owner).execute(),
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
