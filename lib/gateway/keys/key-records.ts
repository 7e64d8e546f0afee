import type { Insertable, Selectable } from "kysely";
import type { KeyEndpoint } from "@/lib/contract/access/key-scopes";
import type { ServiceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import type { Tables } from "../database/schema";

export interface ServiceAccountRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly role: ServiceAccountRole;
  readonly createdAtMs: number;
}

/** A key's limits beyond its role; null is no limit. */
export interface KeyScope {
  readonly models: readonly string[] | null;
  readonly endpoints: readonly KeyEndpoint[] | null;
}

/** The creator of a key, with the name they had then. */
export interface KeyCreator {
  readonly kind: "user" | "admin_api_key" | "project_api_key";
  readonly id: string;
  readonly name: string;
}

/** A project's key as it is stored, with its hash instead of the key. */
export interface ProjectKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  /** Null for a key that does not expire. */
  readonly expiresAtMs: number | null;
  /** The account that the key belongs to; null for a key of the project itself. */
  readonly serviceAccount: ServiceAccountRecord | null;
  readonly scope: KeyScope;
  /** Null for a key from before creators were recorded. */
  readonly creator: KeyCreator | null;
  /** The key that it replaced by rotation; null for none. */
  readonly rotatedFrom: string | null;
  /** Whether the rotation revoked that key at once, without an overlap. */
  readonly replacedAtOnce: boolean;
}

/** A key that its rotation revoked at once, and the key that took its place, even a revoked one. */
export interface ReplacedKey {
  readonly id: string;
  readonly successorId: string;
}

export interface AdminKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly roleId: string;
  readonly hash: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export type WithLastUse<Key> = Key & { readonly lastUsedAtMs: number | null };

/** A key that was found by its hash. */
export type FoundKey = { readonly revokedAtMs: number | null } & (
  | { readonly kind: "project_key"; readonly key: WithLastUse<ProjectKeyRecord> }
  | { readonly kind: "admin_key"; readonly key: WithLastUse<AdminKeyRecord> }
);

/** A key's row as it is inserted. */
export function projectKeyRow(key: ProjectKeyRecord): Insertable<Tables["project_api_keys"]> {
  const { id, projectId, name, hash, lastFour, createdAtMs, expiresAtMs, serviceAccount, creator } = key;
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
    ...scopeColumns(key.scope),
    created_by_kind: creator?.kind ?? null,
    created_by_id: creator?.id ?? null,
    created_by_name: creator?.name ?? null,
    rotated_from: key.rotatedFrom,
  };
}

export function scopeColumns({ models, endpoints }: ProjectKeyRecord["scope"]) {
  return {
    models: models && JSON.stringify(models),
    endpoints: endpoints && JSON.stringify(endpoints),
  };
}

function toScope({ models, endpoints }: Selectable<Tables["project_api_keys"]>): ProjectKeyRecord["scope"] {
  return {
    models: models === null ? null : (JSON.parse(models) as string[]),
    endpoints: endpoints === null ? null : (JSON.parse(endpoints) as KeyEndpoint[]),
  };
}

function toCreator(row: Selectable<Tables["project_api_keys"]>): ProjectKeyRecord["creator"] {
  const { created_by_kind: kind, created_by_id: id, created_by_name: name } = row;
  return kind === null || id === null || name === null ? null : { kind, id, name };
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
type AccountColumns = Pick<Tables["service_accounts"], "name" | "role" | "created_at_ms">;
type KeyWithAccount = Selectable<Tables["project_api_keys"]> & { replaced_revoked_at_ms: number | null } & {
  [Column in keyof AccountColumns as `account_${Column}`]: Nullable<AccountColumns>[Column];
};

export function toProjectKey(row: KeyWithAccount): ProjectKeyRecord {
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
    scope: toScope(row),
    creator: toCreator(row),
    rotatedFrom: row.rotated_from,
    replacedAtOnce: row.replaced_revoked_at_ms === row.created_at_ms,
  };
}

export function toUsedProjectKey(
  row: KeyWithAccount & { last_used_at_ms: number | null },
): WithLastUse<ProjectKeyRecord> {
  return { ...toProjectKey(row), lastUsedAtMs: row.last_used_at_ms };
}

function toServiceAccount(row: KeyWithAccount): ProjectKeyRecord["serviceAccount"] {
  const { service_account_id: id, account_name: name, account_role: role, project_id: projectId } = row;
  const createdAtMs = row.account_created_at_ms;
  if (id === null || name === null || role === null || createdAtMs === null) return null;
  return { id, projectId, name, role, createdAtMs };
}

export function toAdminKey(row: Tables["admin_api_keys"]): AdminKeyRecord {
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

export function toUsedAdminKey(row: Tables["admin_api_keys"]): WithLastUse<AdminKeyRecord> {
  return { ...toAdminKey(row), lastUsedAtMs: row.last_used_at_ms };
}
