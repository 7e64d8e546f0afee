import type { filePurposes } from "@/lib/contract/operations/files";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export type FilePurpose = (typeof filePurposes)[number];

export interface FileRecord {
  readonly id: string;
  readonly projectId: string;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export interface FileFilter {
  /** Null: all projects. */
  readonly projectIds: readonly string[] | null;
  readonly purpose?: FilePurpose | undefined;
}

/** What is known of files; their bytes are elsewhere (`OutputFiles`). */
export interface FileStore {
  find(id: string): Promise<FileRecord | null>;
  /** Newest first. */
  listed(filter: FileFilter): PagedList<FileRecord>;
  /** What a project stores, with what is on its way. */
  storedBy(projectId: string): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Notes a file that is on its way, so that its bytes are found again if the process dies. */
  begin(transaction: Transaction, file: FileRecord): Promise<void>;
  /** Makes it visible: its bytes are on disk. */
  complete(transaction: Transaction, file: FileRecord, atMs: number): Promise<void>;
  delete(transaction: Transaction, ids: readonly string[]): Promise<void>;
  /** Whether a batch that has not ended reads it. */
  isInUse(id: string): Promise<boolean>;
  /** Those that have expired, and those on their way since before `begunMs`; none that a batch reads. */
  listOver(nowMs: number, begunMs: number, limit: number): Promise<string[]>;
}
