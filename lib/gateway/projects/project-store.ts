import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly archivedAtMs: number | null;
}

/** Which projects to list: those with these ids, or all for null; with or without archived ones. */
interface ProjectFilter {
  readonly ids: readonly string[] | null;
  readonly withArchived: boolean;
}

export interface ProjectStore {
  /** All projects; for the mirror. */
  list(): Promise<ProjectRecord[]>;
  /** Oldest first. */
  pages(filter: ProjectFilter): PagedList<ProjectRecord>;
  find(id: string): Promise<ProjectRecord | null>;
  insert(transaction: Transaction, project: ProjectRecord): Promise<void>;
  rename(transaction: Transaction, id: string, name: string): Promise<void>;
  /** Archives an active project, deletes its service accounts and revokes its keys, together. */
  archive(transaction: Transaction, id: string, atMs: number): Promise<void>;
}
