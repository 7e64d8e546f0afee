import { noteAction, type Transaction, within } from "../changes/transactions.sql";
import type { Reads } from "../database/database";
import { sql } from "../database/fragment";
import { listById } from "../database/list-pages";
import type { Tables } from "../database/schema";
import type { PagedList } from "../lists/paged-list";
import { matchesRole } from "../roles/role-store.sql";
import {
  type AdminKeyRecord,
  type FoundKey,
  type ProjectKeyRecord,
  projectKeyRow,
  type ReplacedKey,
  type ServiceAccountRecord,
  scopeColumns,
  toAdminKey,
  toProjectKey,
  toUsedAdminKey,
  toUsedProjectKey,
  type WithLastUse,
} from "./key-records";

export function createKeyStore(reads: Reads) {
  return {
    ...activeKeys(reads),
    ...keyLists(reads),
    ...orphanedKeys(reads),
    ...keyFinds(reads),
    ...keyWrites,
  };
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** A project's keys that work, and the last use of any of its keys. */
export interface ProjectKeyUse {
  readonly active: number;
  readonly lastUsedAtMs: number | null;
}

/** A key that works although its maker has left. */
export interface OrphanedKey extends WithLastUse<ProjectKeyRecord> {
  readonly makerLeftAtMs: number;
  readonly isMakerRemoved: boolean;
}

function activeKeys(reads: Reads) {
  return {
    /** All keys that are not revoked. */
    async listActive(): Promise<{ projectKeys: ProjectKeyRecord[]; adminKeys: AdminKeyRecord[] }> {
      const projectKeys = await activeProjectKeys(reads).execute();
      const adminKeys = await activeAdminKeys(reads).orderBy("id").execute();
      return { projectKeys: projectKeys.map(toProjectKey), adminKeys: adminKeys.map(toAdminKey) };
    },
    /** Null if there is no such active key. */
    async findActiveProjectKey(id: string): Promise<ProjectKeyRecord | null> {
      const row = await activeProjectKeys(reads).where("key.id", "=", id).executeTakeFirst();
      return row ? toProjectKey(row) : null;
    },
    /** The active keys of a service account. */
    async listActiveByAccount(serviceAccountId: string): Promise<ProjectKeyRecord[]> {
      const rows = await activeProjectKeys(reads)
        .where("key.service_account_id", "=", serviceAccountId)
        .execute();
      return rows.map(toProjectKey);
    },
    async findActiveAdminKey(id: string): Promise<AdminKeyRecord | null> {
      const row = await activeAdminKeys(reads).where("id", "=", id).executeTakeFirst();
      return row ? toAdminKey(row) : null;
    },
  };
}

const keyWrites = {
  async insertProjectKey(transaction: Transaction, key: ProjectKeyRecord): Promise<void> {
    await within(transaction).insertInto("project_api_keys").values(projectKeyRow(key)).execute();
  },
  async insertAdminKey(
    transaction: Transaction,
    { id, name, roleId, hash, lastFour, createdAtMs, expiresAtMs }: AdminKeyRecord,
  ): Promise<void> {
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
  /** Saves a key's name, its scope and the time it expires. */
  async updateProjectKey(
    transaction: Transaction,
    { id, name, expiresAtMs, scope }: ProjectKeyRecord,
  ): Promise<void> {
    await within(transaction)
      .updateTable("project_api_keys")
      .set({ name, expires_at_ms: expiresAtMs, ...scopeColumns(scope) })
      .where("id", "=", id)
      .execute();
  },
  async revokeProjectKey(transaction: Transaction, id: string, atMs: number): Promise<void> {
    await within(transaction)
      .updateTable("project_api_keys")
      .set({ revoked_at_ms: atMs })
      .where("id", "=", id)
      .execute();
  },
  /** Revokes an admin key and ends its sessions and sign-in links, together. */
  async revokeAdminKey(transaction: Transaction, id: string, atMs: number): Promise<void> {
    const queries = within(transaction);
    await queries.updateTable("admin_api_keys").set({ revoked_at_ms: atMs }).where("id", "=", id).execute();
    await queries.deleteFrom("sessions").where("admin_api_key_id", "=", id).execute();
    await queries.deleteFrom("sign_in_tokens").where("admin_api_key_id", "=", id).execute();
    await queries.updateTable("conversations").set({ is_shared: 0 }).where("owner_id", "=", id).execute();
  },
  async keepProjectKey(transaction: Transaction, id: string, atMs: number): Promise<void> {
    await within(transaction)
      .updateTable("project_api_keys")
      .set({ kept_at_ms: atMs })
      .where("id", "=", id)
      .execute();
  },
  /** Records in the transaction's audit event that a call was made as the key. */
  async noteRunAs(
    transaction: Transaction,
    { id, projectId: project_id }: Pick<ProjectKeyRecord, "id" | "projectId">,
  ): Promise<void> {
    await noteAction(transaction, { object: "project_api_keys", id, project_id });
  },
  /** Names the project in the event of a change of many of its keys, each of which has its own. */
  async noteManyChanged(transaction: Transaction, projectId: string): Promise<void> {
    await noteAction(transaction, { object: "projects", id: projectId, project_id: projectId });
  },
  async noteAdminKeyUse(transaction: Transaction, id: string, atMs: number): Promise<void> {
    await within(transaction)
      .updateTable("admin_api_keys")
      .set({ last_used_at_ms: atMs })
      .where("id", "=", id)
      .execute();
  },
};

function keyLists(reads: Reads) {
  return {
    listReplaced: (): Promise<ReplacedKey[]> =>
      reads
        .selectFrom("project_api_keys as key")
        .innerJoin("project_api_keys as replaced", "replaced.id", "key.rotated_from")
        .whereRef("replaced.revoked_at_ms", "=", "key.created_at_ms")
        .select(["replaced.id as id", "key.id as successorId"])
        .execute(),
    /** A project's active keys, newest first, with the time of their last logged request. */
    projectKeyPages: (projectId: string): PagedList<WithLastUse<ProjectKeyRecord>> =>
      listById(
        usedProjectKeys(reads).where("key.project_id", "=", projectId),
        { id: "key.id", defaultOrder: "desc" },
        toUsedProjectKey,
      ),
    /** How many of each project's keys work, and when one of its keys, also a revoked one, was last used. */
    async listProjectUses(nowMs: number): Promise<Map<string, ProjectKeyUse>> {
      const works = sql<number>`sum(CASE WHEN key.revoked_at_ms IS NULL
        AND (key.expires_at_ms IS NULL OR key.expires_at_ms > ${nowMs}) THEN 1 ELSE 0 END)`;
      const rows = await reads
        .selectFrom("project_api_keys as key")
        .leftJoin("key_uses as use", "use.key_id", "key.id")
        .select((from) => [
          "key.project_id",
          works.as("active"),
          from.fn.max("use.last_used_at_ms").as("last"),
        ])
        .groupBy("key.project_id")
        .execute();
      return new Map(
        rows.map(({ project_id, active, last }) => [
          project_id,
          { active: Number(active), lastUsedAtMs: last === null ? null : Number(last) },
        ]),
      );
    },
    /** The active admin keys, oldest first, with the time of their last recorded use. */
    adminKeyPages: (): PagedList<WithLastUse<AdminKeyRecord>> =>
      listById(activeAdminKeys(reads), { id: "id", defaultOrder: "asc" }, toUsedAdminKey),
    /**
     * The active admin keys that hold the role, or any role, sorted by role. `id` joins the role's and the key's id
     * with `:organization:`.
     */
    roleHolderPages(
      roleId: string | undefined,
    ): PagedList<{ readonly id: string; readonly key: AdminKeyRecord }> {
      const keys = activeAdminKeys(reads);
      const query = roleId === undefined ? keys : keys.where(matchesRole(KEY_HOLDER_ID, roleId));
      return listById(query, { id: KEY_HOLDER_ID, defaultOrder: "asc" }, (row) => ({
        id: `${row.role_id}:organization:${row.id}`,
        key: toAdminKey(row),
      }));
    },
    /** The active admin keys that hold a role, oldest first. */
    async adminKeysWith(roleId: string): Promise<AdminKeyRecord[]> {
      const rows = await activeAdminKeys(reads).where("role_id", "=", roleId).orderBy("id").execute();
      return rows.map(toAdminKey);
    },
  };
}

function orphanedKeys(reads: Reads) {
  return {
    /** The working keys, newest first, whose maker left after somebody last decided to keep them. */
    orphanedKeyPages(projectIds: readonly string[] | null, nowMs: number): PagedList<OrphanedKey> {
      const left = sql<number>`coalesce(maker.removed_at_ms, maker.deactivated_at_ms)`;
      const working = usedProjectKeys(reads)
        .innerJoin("users as maker", "maker.id", "key.created_by_id")
        .innerJoin("projects as project", "project.id", "key.project_id")
        .select([left.as("maker_left_at_ms"), "maker.removed_at_ms as maker_removed_at_ms"])
        .where("key.created_by_kind", "=", "user")
        .where("project.archived_at_ms", "is", null)
        .where(sql<number>`coalesce(key.expires_at_ms, ${nowMs + 1})`, ">", nowMs)
        .where(left, ">", sql<number>`coalesce(key.kept_at_ms, 0)`);
      const visible = projectIds === null ? working : working.where("key.project_id", "in", projectIds);
      return listById(visible, { id: "key.id", defaultOrder: "desc" }, (row) => ({
        ...toUsedProjectKey(row),
        makerLeftAtMs: row.maker_left_at_ms,
        isMakerRemoved: row.maker_removed_at_ms !== null,
      }));
    },
  };
}

function keyFinds(reads: Reads) {
  return {
    /** An active key; null if there is none. */
    async findProjectKey(id: string): Promise<WithLastUse<ProjectKeyRecord> | null> {
      const row = await usedProjectKeys(reads).where("key.id", "=", id).executeTakeFirst();
      return row ? toUsedProjectKey(row) : null;
    },
    /** The first key that replaced this one by rotation, even a revoked one; null if there is none. */
    async findSuccessor(id: string): Promise<ProjectKeyRecord | null> {
      const row = await everyProjectKey(reads)
        .where("key.rotated_from", "=", id)
        .orderBy("key.id")
        .limit(1)
        .executeTakeFirst();
      return row ? toProjectKey(row) : null;
    },
    async findAdminKey(id: string): Promise<WithLastUse<AdminKeyRecord> | null> {
      const row = await activeAdminKeys(reads).where("id", "=", id).executeTakeFirst();
      return row ? toUsedAdminKey(row) : null;
    },
    /** A key by its hash, even a revoked one; null if it never existed. */
    async findByHash(hash: string): Promise<FoundKey | null> {
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
