import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import type { Tables } from "../database/schema";
import { projectKeyRow } from "./key-rows";
import type { ServiceAccountRecord } from "./key-store";
import type { ServiceAccountStore } from "./service-account-store";

export function createSqliteServiceAccountStore(reads: Reads): ServiceAccountStore {
  return {
    pages: (projectId) =>
      listById(selectAccounts(reads, projectId), { id: "id", defaultOrder: "asc" }, toRecord),
    async find(projectId, id) {
      const row = await selectAccounts(reads, projectId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async insert(transaction, account, key) {
      const queries = within(transaction);
      await queries.insertInto("service_accounts").values(toRow(account)).execute();
      if (key) await queries.insertInto("project_api_keys").values(projectKeyRow(key)).execute();
    },
    async update(transaction, { id, name, role }) {
      await within(transaction)
        .updateTable("service_accounts")
        .set({ name, role })
        .where("id", "=", id)
        .execute();
    },
    async delete(transaction, id, atMs) {
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
