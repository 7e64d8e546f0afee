import type { KeyEndpoint } from "@/lib/contract/access/key-scopes";
import type { Tables } from "../database/schema";
import type { AdminKeyRecord, ProjectKeyRecord, WithLastUse } from "./key-store";

/** A key's row as it is inserted. */
export function projectKeyRow(key: ProjectKeyRecord): Tables["project_api_keys"] {
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

function toScope({ models, endpoints }: Tables["project_api_keys"]): ProjectKeyRecord["scope"] {
  return {
    models: models === null ? null : (JSON.parse(models) as string[]),
    endpoints: endpoints === null ? null : (JSON.parse(endpoints) as KeyEndpoint[]),
  };
}

function toCreator(row: Tables["project_api_keys"]): ProjectKeyRecord["creator"] {
  const { created_by_kind: kind, created_by_id: id, created_by_name: name } = row;
  return kind === null || id === null || name === null ? null : { kind, id, name };
}

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
type AccountColumns = Pick<Tables["service_accounts"], "name" | "role" | "created_at_ms">;
type KeyWithAccount = Tables["project_api_keys"] & { replaced_revoked_at_ms: number | null } & {
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
