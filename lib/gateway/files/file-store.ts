import type { filePurposes } from "@/lib/contract/calls/file-purposes";
import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export type FilePurpose = (typeof filePurposes)[number];

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
export interface FileStore {
  find(id: string): Promise<FileRecord | null>;
  /** Whether a batch that has not ended reads the file. */
  isRead(id: string): Promise<boolean>;
  /** Newest first. */
  pages(filter: FileFilter): PagedList<FileRecord>;
  /** The number and bytes of a project's files, including uploads in progress with the bytes that they count with. */
  storedBy(projectId: string): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Records an upload in progress with the bytes that it counts with, so that it can be found if the process dies. */
  begin(transaction: Transaction, file: FileRecord): Promise<void>;
  /** Changes the bytes that an upload in progress counts with. */
  reserve(transaction: Transaction, id: string, bytes: number): Promise<void>;
  /** Makes the file visible, once its bytes are on disk. */
  complete(transaction: Transaction, file: FileRecord, atMs: number): Promise<void>;
  /**
   * Expires files now, except those that a batch reads. No batch begins to read an expired file. @returns the expired
   * ones.
   */
  expire(transaction: Transaction, ids: readonly string[], nowMs: number): Promise<string[]>;
  /**
   * Expires a file for whoever asks for its deletion. Does nothing to a file that has expired, or that a batch reads.
   */
  requestDelete(transaction: Transaction, id: string, nowMs: number): Promise<void>;
  delete(transaction: Transaction, ids: readonly string[]): Promise<void>;
  /** Expired files, and uploads begun before `begunMs` that never finished, except files that a batch reads. */
  listOver(nowMs: number, begunMs: number, limit: number): Promise<string[]>;
}
