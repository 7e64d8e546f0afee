import type { ServiceAccountRecord } from "../keys/key-store";
import type { ServiceAccountStore } from "../keys/service-account-store";
import type { Database } from "./database";
import { projectKeyRow } from "./key-store";

export function createServiceAccountStore(database: Database): ServiceAccountStore {
  return {
    async listOfProject(projectId) {
      const rows = await database
        .selectFrom("service_accounts")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("deleted_at_ms", "is", null)
        .orderBy("id")
        .execute();
      return rows.map(({ id, name, role, created_at_ms }) => ({
        id,
        projectId,
        name,
        role,
        createdAtMs: created_at_ms,
      }));
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

function toRow({ id, projectId, name, role, createdAtMs }: ServiceAccountRecord) {
  return { id, project_id: projectId, name, role, created_at_ms: createdAtMs, deleted_at_ms: null };
}
