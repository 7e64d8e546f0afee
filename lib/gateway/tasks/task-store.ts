import type { MediaFamily } from "@/lib/contract/model-families";
import type { Task } from "@/lib/contract/operations/tasks";
import type { Nano } from "@/lib/money/amount";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export type TaskStatus = Task["status"];

export interface TaskFile {
  readonly type: MediaFamily;
  readonly mimeType: string;
  readonly bytes: number;
}

/** What a task was asked for besides its prompt; null for what its family doesn't have. */
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
  /** Percent; null where its provider gives none. */
  readonly progress: number | null;
  /** Whether the provider may be working on it, without a way to find out. */
  readonly isStateUnknown: boolean;
  readonly isCancelRequested: boolean;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null for tasks from before it was kept. */
  readonly settings: TaskSettings | null;
  readonly files: readonly TaskFile[];
  readonly areFilesDeleted: boolean;
  /** What was charged for; null before the charge, and where there was none. */
  readonly charged: {
    readonly unit: string;
    /** In millionths. */
    readonly units: number;
    readonly amount: Nano;
  } | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

export interface TaskFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  /** Those that made them. Null: all keys and members. */
  readonly keyIds: readonly string[] | null;
  readonly status?: TaskStatus | undefined;
  readonly model?: string | undefined;
  readonly family?: MediaFamily;
  /** Only those whose files have not been deleted. */
  readonly hasFiles?: boolean;
}

export interface TaskStore {
  find(id: string): Promise<TaskRecord | null>;
  /** Newest first. */
  listed(filter: TaskFilter): PagedList<TaskRecord>;
  /** Requests a cancellation; a task that nobody works on is canceled at once. A task that has ended is left as it is. */
  requestCancel(transaction: Transaction, id: string, atMs: number): Promise<void>;
  /** Tasks that ended before that time, however, and may still have files, oldest first. */
  listWithFiles(untilMs: number, limit: number): Promise<string[]>;
  noteFilesDeleted(transaction: Transaction, ids: readonly string[], atMs: number): Promise<void>;
}
