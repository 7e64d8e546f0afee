import type { batchStatuses } from "@/lib/contract/calls/batch-statuses";
import type { BatchEndpoint, BatchWait } from "@/lib/contract/operations/tasks/batches";
import { type Nano, ZERO } from "@/lib/money/amount";
import type { Transaction } from "../changes/transaction";
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
export interface BatchPaceRecord {
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

export interface BatchStore {
  find(id: string): Promise<BatchRecord | null>;
  /** Newest first. */
  pages(filter: BatchFilter): PagedList<BatchRecord>;
  countUnderWay(projectId: string): Promise<number>;
  /** The charges of these calls; none for a call that cost nothing. */
  listLineCosts(requestIds: readonly string[]): Promise<LineCost[]>;
  /** @returns false, with nothing stored, if the input file has expired or been deleted. */
  insert(transaction: Transaction, batch: BatchRecord): Promise<boolean>;
  /** Does nothing to a batch that has ended. */
  requestCancel(transaction: Transaction, id: string, atMs: number): Promise<void>;
}

/** How a batch ends, and the files of its results: stored in one transaction. */
export interface BatchEnd {
  readonly status: "completed" | "expired" | "cancelled";
  readonly atMs: number;
  readonly files: readonly ResultFile[];
}

/** Which batches a process wants. */
export interface ClaimRequest {
  readonly limit: number;
  /**
   * Batches that this process is running. They are never claimed, even if their claims expired while the machine slept:
   * a second run would overwrite the results of the first.
   */
  readonly underWay: readonly string[];
  /** The projects of which only batches are claimed that have to be ended: canceled ones, and those out of time. */
  readonly fullProjects: readonly string[] | "all";
}

/** Which process runs which batch. Claims expire in case it dies. */
export interface BatchClaims {
  /** Claims the oldest batches that have neither ended nor been claimed by another process. */
  claim(nowMs: number, request: ClaimRequest): Promise<BatchRecord[]>;
  /** Extends a claim. @returns false if another process has taken the batch over. */
  renew(id: string, nowMs: number): Promise<boolean>;
  /** @returns false, with nothing stored, if another process has taken the batch over. */
  save(id: string, progress: BatchProgress, nowMs: number): Promise<boolean>;
  /** Does nothing if another process has taken the batch over. */
  notePace(id: string, pace: BatchPaceRecord): Promise<void>;
  /** @returns false, with nothing stored, if another process has taken the batch over. */
  end(id: string, progress: BatchProgress, end: BatchEnd): Promise<boolean>;
  /** Ends all other processes' claims. Call it only while no other process runs. */
  releaseOthers(): Promise<void>;
}
