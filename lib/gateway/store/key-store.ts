import type { AdminKeyRecord, KeyStore, ProjectKeyRecord } from "../keys/key-store";
import type { Database } from "./database";
import type { Tables } from "./schema";

export function createKeyStore(database: Database): KeyStore {
  return {
    async listActive() {
      const projectKeys = await database
        .selectFrom("project_api_keys")
        .selectAll()
        .where("revoked_at_ms", "is", null)
        .execute();
      const adminKeys = await database
        .selectFrom("admin_api_keys")
        .selectAll()
        .where("revoked_at_ms", "is", null)
        .execute();
      return { projectKeys: projectKeys.map(toProjectKey), adminKeys: adminKeys.map(toAdminKey) };
    },
    async listOfProject(projectId) {
      const rows = await database
        .selectFrom("project_api_keys")
        .selectAll()
        .select((from) =>
          from
            .selectFrom("request_log")
            .select((log) => log.fn.max("at_ms").as("at_ms"))
            .whereRef("request_log.key_id", "=", "project_api_keys.id")
            .as("last_used_at_ms"),
        )
        .where("project_id", "=", projectId)
        .where("revoked_at_ms", "is", null)
        .orderBy("id", "desc")
        .execute();
      return rows.map((row) => ({ ...toProjectKey(row), lastUsedAtMs: row.last_used_at_ms }));
    },
    async insertProjectKey({ id, projectId, name, hash, lastFour, createdAtMs }) {
      const values = {
        id,
        project_id: projectId,
        name,
        hash,
        last_four: lastFour,
        created_at_ms: createdAtMs,
      };
      await database
        .insertInto("project_api_keys")
        .values({ ...values, revoked_at_ms: null })
        .execute();
    },
    async insertAdminKey({ id, name, roleId, hash, lastFour, createdAtMs }) {
      const values = { id, name, role_id: roleId, hash, last_four: lastFour, created_at_ms: createdAtMs };
      await database
        .insertInto("admin_api_keys")
        .values({ ...values, revoked_at_ms: null })
        .execute();
    },
    async revokeProjectKey(projectId, id, atMs) {
      const row = await database
        .updateTable("project_api_keys")
        .set({ revoked_at_ms: atMs })
        .where("project_id", "=", projectId)
        .where("id", "=", id)
        .where("revoked_at_ms", "is", null)
        .returningAll()
        .executeTakeFirst();
      return row ? toProjectKey(row) : null;
    },
  };
}

function toProjectKey(row: Tables["project_api_keys"]): ProjectKeyRecord {
  const { id, name, hash } = row;
  return {
    id,
    projectId: row.project_id,
    name,
    hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
  };
}

function toAdminKey(row: Tables["admin_api_keys"]): AdminKeyRecord {
  const { id, name, hash } = row;
  return { id, name, roleId: row.role_id, hash, lastFour: row.last_four, createdAtMs: row.created_at_ms };
}
