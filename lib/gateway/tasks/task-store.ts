import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { Task } from "@/lib/contract/operations/tasks/task";
import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../changes/transaction";
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

export interface TaskStore {
  find(id: string): Promise<TaskRecord | null>;
  /** Those of the tasks that exist, in any order. */
  findAll(ids: readonly string[]): Promise<TaskRecord[]>;
  /** Newest first. */
  pages(filter: TaskFilter): PagedList<TaskRecord>;
  /**
   * Requests a cancellation; a task that no process works on is canceled at once. Does nothing to a task that has
   * ended.
   */
  requestCancel(transaction: Transaction, id: string, atMs: number): Promise<void>;
  /** Tasks of any final status that ended before `untilMs` and may still have files, oldest first. */
  listWithFiles(untilMs: number, limit: number): Promise<string[]>;
  /** Names a video in the audit event of its deletion. */
  noteDeletedVideo(transaction: Transaction, video: Pick<TaskRecord, "id" | "projectId">): Promise<void>;
  noteFilesDeleted(transaction: Transaction, ids: readonly string[], atMs: number): Promise<void>;
}
