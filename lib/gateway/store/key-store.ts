import type { AdminKeyRecord, KeyStore, ProjectKeyRecord } from "../keys/key-store";
import type { Database } from "./database";
import type { Tables } from "./schema";

export function createKeyStore(database: Database): KeyStore {
  return {
    async listActive() {
      const projectKeys = await activeProjectKeys(database).execute();
      const adminKeys = await activeAdminKeys(database).execute();
      return { projectKeys: projectKeys.map(toProjectKey), adminKeys: adminKeys.map(toAdminKey) };
    },
    async listOfProject(projectId) {
      const rows = await activeProjectKeys(database)
        .select((from) =>
          from
            .selectFrom("key_uses")
            .select("key_uses.last_used_at_ms")
            .whereRef("key_uses.key_id", "=", "key.id")
            .as("last_used_at_ms"),
        )
        .where("key.project_id", "=", projectId)
        .orderBy("key.id", "desc")
        .execute();
      return rows.map((row) => ({ ...toProjectKey(row), lastUsedAtMs: row.last_used_at_ms }));
    },
    async listAdminKeys() {
      const rows = await activeAdminKeys(database).execute();
      return rows.map((row) => ({ ...toAdminKey(row), lastUsedAtMs: row.last_used_at_ms }));
    },
    async insertProjectKey(key) {
      await database.insertInto("project_api_keys").values(projectKeyRow(key)).execute();
    },
    async insertAdminKey({ id, name, roleId, hash, lastFour, createdAtMs, expiresAtMs }) {
      const times = {
        created_at_ms: createdAtMs,
        expires_at_ms: expiresAtMs,
        revoked_at_ms: null,
        last_used_at_ms: null,
      };
      await database
        .insertInto("admin_api_keys")
        .values({ id, name, role_id: roleId, hash, last_four: lastFour, ...times })
        .execute();
    },
    async revokeProjectKey(projectId, id, atMs) {
      const row = await database
        .updateTable("project_api_keys")
        .set({ revoked_at_ms: atMs })
        .where("project_id", "=", projectId)
        .where("id", "=", id)
        .where("revoked_at_ms", "is", null)
        .returning("hash")
        .executeTakeFirst();
      return row?.hash ?? null;
    },
    revokeAdminKey: (id, atMs) =>
      database.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("admin_api_keys")
          .set({ revoked_at_ms: atMs })
          .where("id", "=", id)
          .execute();
        await transaction.deleteFrom("sessions").where("admin_api_key_id", "=", id).execute();
        await transaction.deleteFrom("sign_in_tokens").where("admin_api_key_id", "=", id).execute();
      }),
    async noteAdminKeyUse(id, atMs) {
      await database
        .updateTable("admin_api_keys")
        .set({ last_used_at_ms: atMs })
        .where("id", "=", id)
        .execute();
    },
  };
}

function activeProjectKeys(database: Database) {
  return database
    .selectFrom("project_api_keys as key")
    .leftJoin("service_accounts as account", "account.id", "key.service_account_id")
    .selectAll("key")
    .select(["account.name as account_name", "account.role as account_role"])
    .select("account.created_at_ms as account_created_at_ms")
    .where("key.revoked_at_ms", "is", null);
}

function activeAdminKeys(database: Database) {
  return database.selectFrom("admin_api_keys").selectAll().where("revoked_at_ms", "is", null).orderBy("id");
}

/** A key's row as it is inserted. */
export function projectKeyRow(key: ProjectKeyRecord): Tables["project_api_keys"] {
  const { id, projectId, name, hash, lastFour, createdAtMs, expiresAtMs, serviceAccount } = key;
  return {
    id,
    project_id: projectId,
    service_account_id: serviceAccount?.id ?? null,
    name,
    hash,
    last_four: lastFour,
    created_at_ms: createdAtMs,
    expires_at_ms: expiresAtMs,
    revoked_at_ms: null,
  };
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
type AccountColumns = Pick<Tables["service_accounts"], "name" | "role" | "created_at_ms">;
type KeyWithAccount = Tables["project_api_keys"] & {
  [Column in keyof AccountColumns as `account_${Column}`]: Nullable<AccountColumns>[Column];
};

function toProjectKey(row: KeyWithAccount): ProjectKeyRecord {
  const { id, name, hash, project_id: projectId } = row;
  return {
    id,
    projectId,
    name,
    hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    serviceAccount: toServiceAccount(row),
  };
}

function toServiceAccount(row: KeyWithAccount): ProjectKeyRecord["serviceAccount"] {
  const { service_account_id: id, account_name: name, account_role: role, project_id: projectId } = row;
  const createdAtMs = row.account_created_at_ms;
  if (id === null || name === null || role === null || createdAtMs === null) return null;
  return { id, projectId, name, role, createdAtMs };
}

function toAdminKey(row: Tables["admin_api_keys"]): AdminKeyRecord {
  const { id, name, hash } = row;
  return {
    id,
    name,
    roleId: row.role_id,
    hash,
    lastFour: row.last_four,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
  };
}
