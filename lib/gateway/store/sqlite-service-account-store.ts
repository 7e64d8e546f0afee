import type { ServiceAccountRecord } from "../keys/key-store";
import type { ServiceAccountStore } from "../keys/service-account-store";
import type { Database } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";
import { projectKeyRow } from "./sqlite-key-store";

export function createSqliteServiceAccountStore(database: Database): ServiceAccountStore {
  return {
    listedOfProject: (projectId) =>
      listById(accountsOf(database, projectId), { id: "id", usual: "asc" }, toRecord),
    async find(projectId, id) {
      const row = await accountsOf(database, projectId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    insert: (account, key) =>
      database.transaction().execute(async (transaction) => {
        await transaction.insertInto("service_accounts").values(toRow(account)).execute();
        if (key) await transaction.insertInto("project_api_keys").values(projectKeyRow(key)).execute();
      }),
    async update({ id, name, role }) {
      await database.updateTable("service_accounts").set({ name, role }).where("id", "=", id).execute();
    },
    delete: (id, atMs) =>
      database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("service_accounts")
          .set({ deleted_at_ms: atMs })
          .where("id", "=", id)
          .execute();
        const revoked = await transaction
          .updateTable("project_api_keys")
          .set({ revoked_at_ms: atMs })
          .where("service_account_id", "=", id)
          .where("revoked_at_ms", "is", null)
          .returning("hash")
          .execute();
        return revoked.map(({ hash }) => hash);
      }),
  };
}

function accountsOf(database: Database, projectId: string) {
  return database
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
