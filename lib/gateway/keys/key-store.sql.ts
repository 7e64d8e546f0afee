import { sql } from "kysely";
import { noteAction } from "../changes/audit/note-action.sql";
import { within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { listById } from "../database/list-by-id";
import { matchesRole } from "../roles/role-store.sql";
import {
  projectKeyRow,
  scopeColumns,
  toAdminKey,
  toProjectKey,
  toUsedAdminKey,
  toUsedProjectKey,
} from "./key-rows";
import type { KeyStore } from "./key-store";

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
    async listActiveByAccount(serviceAccountId) {
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
    async updateProjectKey(transaction, { id, name, expiresAtMs, scope }) {
      await within(transaction)
        .updateTable("project_api_keys")
        .set({ name, expires_at_ms: expiresAtMs, ...scopeColumns(scope) })
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
      await queries.updateTable("conversations").set({ is_shared: 0 }).where("owner_id", "=", id).execute();
    },
    async noteRunAs(transaction, { id, projectId: project_id }) {
      await noteAction(transaction, { object: "project_api_keys", id, project_id });
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
  | "listReplaced"
  | "projectKeyPages"
  | "adminKeyPages"
  | "roleHolderPages"
  | "adminKeysWith"
  | "findProjectKey"
  | "findSuccessor"
  | "findAdminKey"
  | "findByHash";

function keyReads(reads: Reads): Pick<KeyStore, KeyReads> {
  return {
    listReplaced: () =>
      reads
        .selectFrom("project_api_keys as key")
        .innerJoin("project_api_keys as replaced", "replaced.id", "key.rotated_from")
        .whereRef("replaced.revoked_at_ms", "=", "key.created_at_ms")
        .select(["replaced.id as id", "key.id as successorId"])
        .execute(),
    projectKeyPages: (projectId) =>
      listById(
        usedProjectKeys(reads).where("key.project_id", "=", projectId),
        { id: "key.id", defaultOrder: "desc" },
        toUsedProjectKey,
      ),
    adminKeyPages: () => listById(activeAdminKeys(reads), { id: "id", defaultOrder: "asc" }, toUsedAdminKey),
    roleHolderPages(roleId) {
      const keys = activeAdminKeys(reads);
      const query = roleId === undefined ? keys : keys.where(matchesRole(KEY_HOLDER_ID, roleId));
      return listById(query, { id: KEY_HOLDER_ID, defaultOrder: "asc" }, (row) => ({
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
    async findSuccessor(id) {
      const row = await everyProjectKey(reads)
        .where("key.rotated_from", "=", id)
        .orderBy("key.id")
        .limit(1)
        .executeTakeFirst();
      return row ? toProjectKey(row) : null;
    },
    async findAdminKey(id) {
      const row = await activeAdminKeys(reads).where("id", "=", id).executeTakeFirst();
      return row ? toUsedAdminKey(row) : null;
    },
    async findByHash(hash) {
      const projectKey = await withUse(everyProjectKey(reads))
        .where("key.hash", "=", hash)
        .executeTakeFirst();
      if (projectKey) {
        return {
          kind: "project_key",
          key: toUsedProjectKey(projectKey),
          revokedAtMs: projectKey.revoked_at_ms,
        };
      }
      const row = await reads
        .selectFrom("admin_api_keys")
        .selectAll()
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row ? { kind: "admin_key", key: toUsedAdminKey(row), revokedAtMs: row.revoked_at_ms } : null;
    },
  };
}

/** The id of a key's holder, in the form of its index. */
const KEY_HOLDER_ID = sql.raw<string>("role_id || ':organization:' || id");

function activeProjectKeys(reads: Reads) {
  return everyProjectKey(reads).where("key.revoked_at_ms", "is", null);
}

/** Including revoked ones. */
function everyProjectKey(reads: Reads) {
  return reads
    .selectFrom("project_api_keys as key")
    .leftJoin("service_accounts as account", "account.id", "key.service_account_id")
    .leftJoin("project_api_keys as replaced", "replaced.id", "key.rotated_from")
    .selectAll("key")
    .select("replaced.revoked_at_ms as replaced_revoked_at_ms")
    .select(["account.name as account_name", "account.role as account_role"])
    .select("account.created_at_ms as account_created_at_ms");
}

function activeAdminKeys(reads: Reads) {
  return reads.selectFrom("admin_api_keys").selectAll().where("revoked_at_ms", "is", null);
}

function usedProjectKeys(reads: Reads) {
  return withUse(activeProjectKeys(reads));
}

/** Adds the time of the last logged request. */
function withUse(keys: ReturnType<typeof everyProjectKey>) {
  return keys.select((from) =>
    from
      .selectFrom("key_uses")
      .select("key_uses.last_used_at_ms")
      .whereRef("key_uses.key_id", "=", "key.id")
      .as("last_used_at_ms"),
  );
}
