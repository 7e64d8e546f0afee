import type { Transaction } from "../changes/transaction";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";
import { type ProjectKeyRecord, projectKeyRow, type ServiceAccountRecord } from "./key-records";

export function createServiceAccountStore(reads: Reads) {
  return {
    /** A project's accounts, oldest first. */
    pages: (projectId: string): PagedList<ServiceAccountRecord> =>
      listById(selectAccounts(reads, projectId), { id: "id", defaultOrder: "asc" }, toRecord),
    /** Null if the project has no such account. */
    async find(projectId: string, id: string): Promise<ServiceAccountRecord | null> {
      const row = await selectAccounts(reads, projectId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    /** Stores an account and its first key, if it has one, together. */
    async insert(
      transaction: Transaction,
      account: ServiceAccountRecord,
      key: ProjectKeyRecord | null,
    ): Promise<void> {
      const queries = within(transaction);
      await queries.insertInto("service_accounts").values(toRow(account)).execute();
      if (key) await queries.insertInto("project_api_keys").values(projectKeyRow(key)).execute();
    },
    async update(transaction: Transaction, { id, name, role }: ServiceAccountRecord): Promise<void> {
      await within(transaction)
        .updateTable("service_accounts")
        .set({ name, role })
        .where("id", "=", id)
        .execute();
    },
    /** Deletes an account and revokes its keys, together. */
    async delete(transaction: Transaction, id: string, atMs: number): Promise<void> {
      const queries = within(transaction);
      await queries
        .updateTable("service_accounts")
        .set({ deleted_at_ms: atMs })
        .where("id", "=", id)
        .execute();
      await queries
        .updateTable("project_api_keys")
        .set({ revoked_at_ms: atMs })
        .where("service_account_id", "=", id)
        .where("revoked_at_ms", "is", null)
        .execute();
    },
  };
}

export type ServiceAccountStore = ReturnType<typeof createServiceAccountStore>;

function selectAccounts(reads: Reads, projectId: string) {
  return reads
    .selectFrom("service_accounts")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("deleted_at_ms", "is", null);
}

function toRecord(row: Tables["service_accounts"]): ServiceAccountRecord {
  const { id, project_id: projectId, name, role, created_at_ms: createdAtMs } = row;
  return { id, projectId, name, role, createdAtMs };
}

function toRow({ id, projectId, name, role, createdAtMs }: ServiceAccountRecord) {
  return { id, project_id: projectId, name, role, created_at_ms: createdAtMs, deleted_at_ms: null };
}
