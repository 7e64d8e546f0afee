import { sql } from "kysely";
import type { AdminKeyRecord, KeyStore, ProjectKeyRecord, Used } from "../keys/key-store";
import type { Reads } from "./database";
import { listById } from "./list-by-id";
import type { Tables } from "./schema";
import { ofRole } from "./sqlite-role-store";
import { within } from "./transactions";

export function createSqliteKeyStore(reads: Reads): KeyStore {
  return {
    async listActive() {
      const projectKeys = await activeProjectKeys(reads).execute();
      const adminKeys = await activeAdminKeys(reads).orderBy("id").execute();
      return { projectKeys: projectKeys.map(toProjectKey), adminKeys: adminKeys.map(toAdminKey) };
    },
    async findActiveProjectKey(id) {
      const row = await activeProjectKeys(reads).where("key.id", "=", id).executeTakeFirst();
      return row ? toProjectKey(row) : null;
    },
    async listActiveOfAccount(serviceAccountId) {
      const rows = await activeProjectKeys(reads)
        .where("key.service_account_id", "=", serviceAccountId)
        .execute();
      return rows.map(toProjectKey);
    },
    async findActiveAdminKey(id) {
      const row = await activeAdminKeys(reads).where("id", "=", id).executeTakeFirst();
      return row ? toAdminKey(row) : null;
    },
    ...keyReads(reads),
    async insertProjectKey(transaction, key) {
      await within(transaction).insertInto("project_api_keys").values(projectKeyRow(key)).execute();
    },
    async insertAdminKey(transaction, { id, name, roleId, hash, lastFour, createdAtMs, expiresAtMs }) {
      const times = {
        created_at_ms: createdAtMs,
        expires_at_ms: expiresAtMs,
        revoked_at_ms: null,
        last_used_at_ms: null,
      };
      await within(transaction)
        .insertInto("admin_api_keys")
        .values({ id, name, role_id: roleId, hash, last_four: lastFour, ...times })
        .execute();
    },
    async updateProjectKey(transaction, { id, name, expiresAtMs }) {
      await within(transaction)
        .updateTable("project_api_keys")
        .set({ name, expires_at_ms: expiresAtMs })
        .where("id", "=", id)
        .execute();
    },
    async revokeProjectKey(transaction, id, atMs) {
      await within(transaction)
        .updateTable("project_api_keys")
        .set({ revoked_at_ms: atMs })
        .where("id", "=", id)
        .execute();
    },
    async revokeAdminKey(transaction, id, atMs) {
      const queries = within(transaction);
      await queries.updateTable("admin_api_keys").set({ revoked_at_ms: atMs }).where("id", "=", id).execute();
      await queries.deleteFrom("sessions").where("admin_api_key_id", "=", id).execute();
      await queries.deleteFrom("sign_in_tokens").where("admin_api_key_id", "=", id).execute();
    },
    async noteAdminKeyUse(transaction, id, atMs) {
      await within(transaction)
        .updateTable("admin_api_keys")
        .set({ last_used_at_ms: atMs })
        .where("id", "=", id)
        .execute();
    },
  };
}

type KeyReads =
  | "listedOfProject"
  | "listedAdminKeys"
  | "listedRoleHolders"
  | "adminKeysWith"
  | "findProjectKey"
  | "findAdminKey";

function keyReads(reads: Reads): Pick<KeyStore, KeyReads> {
  return {
    listedOfProject: (projectId) =>
      listById(
        usedProjectKeys(reads).where("key.project_id", "=", projectId),
        { id: "key.id", usual: "desc" },
        toUsedProjectKey,
      ),
    listedAdminKeys: () => listById(activeAdminKeys(reads), { id: "id", usual: "asc" }, toUsedAdminKey),
    listedRoleHolders(roleId) {
      const keys = activeAdminKeys(reads);
      const query = roleId === undefined ? keys : keys.where(ofRole(KEY_HOLDER_ID, roleId));
      return listById(query, { id: KEY_HOLDER_ID, usual: "asc" }, (row) => ({
        id: `${row.role_id}:organization:${row.id}`,
        key: toAdminKey(row),
      }));
    },
    async adminKeysWith(roleId) {
      const rows = await activeAdminKeys(reads).where("role_id", "=", roleId).orderBy("id").execute();
      return rows.map(toAdminKey);
    },
    async findProjectKey(id) {
      const row = await usedProjectKeys(reads).where("key.id", "=", id).executeTakeFirst();
      return row ? toUsedProjectKey(row) : null;
    },
    async findAdminKey(id) {
      const row = await activeAdminKeys(reads).where("id", "=", id).executeTakeFirst();
      return row ? toUsedAdminKey(row) : null;
    },
  };
}

/** As its index has it. */
const KEY_HOLDER_ID = sql.raw<string>("role_id || ':organization:' || id");

function activeProjectKeys(reads: Reads) {
  return reads
    .selectFrom("project_api_keys as key")
    .leftJoin("service_accounts as account", "account.id", "key.service_account_id")
    .selectAll("key")
    .select(["account.name as account_name", "account.role as account_role"])
    .select("account.created_at_ms as account_created_at_ms")
    .where("key.revoked_at_ms", "is", null);
}

function activeAdminKeys(reads: Reads) {
  return reads.selectFrom("admin_api_keys").selectAll().where("revoked_at_ms", "is", null);
}

function usedProjectKeys(reads: Reads) {
  return activeProjectKeys(reads).select((from) =>
    from
      .selectFrom("key_uses")
      .select("key_uses.last_used_at_ms")
      .whereRef("key_uses.key_id", "=", "key.id")
      .as("last_used_at_ms"),
  );
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

function toUsedProjectKey(row: KeyWithAccount & { last_used_at_ms: number | null }): Used<ProjectKeyRecord> {
  return { ...toProjectKey(row), lastUsedAtMs: row.last_used_at_ms };
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

function toUsedAdminKey(row: Tables["admin_api_keys"]): Used<AdminKeyRecord> {
  return { ...toAdminKey(row), lastUsedAtMs: row.last_used_at_ms };
}
