import type { Transaction } from "../changes/transaction";
import type { PagedList } from "../lists/paged-list";
import type { ProjectKeyRecord, ServiceAccountRecord } from "./key-store";

export interface ServiceAccountStore {
  /** A project's accounts, oldest first. */
  pages(projectId: string): PagedList<ServiceAccountRecord>;
  /** Null if the project has no such account. */
  find(projectId: string, id: string): Promise<ServiceAccountRecord | null>;
  /** Stores an account and its first key, if it has one, together. */
  insert(
    transaction: Transaction,
    account: ServiceAccountRecord,
    key: ProjectKeyRecord | null,
  ): Promise<void>;
  update(transaction: Transaction, account: ServiceAccountRecord): Promise<void>;
  /** Deletes an account and revokes its keys, together. */
  delete(transaction: Transaction, id: string, atMs: number): Promise<void>;
}
