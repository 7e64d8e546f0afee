import { json, text, time } from "./columns";
import { table } from "./table";

export const projectTables = [
  table("organizations", {
    id: text.primaryKey(),
    name: text,
    currency: text,
    created_at_ms: time,
  }),
  table(
    "projects",
    {
      id: text.primaryKey(),
      name: text,
      created_at_ms: time,
      archived_at_ms: time.nullable(),
    },
    {
      indexes: { projects_listed: { on: "id", where: "archived_at_ms IS NULL" } },
    },
  ),
  table(
    "service_accounts",
    {
      id: text.primaryKey(),
      project_id: text.references("projects.id"),
      name: text,
      role: text.check("role IN ('owner', 'member', 'none')"),
      created_at_ms: time,
      deleted_at_ms: time.nullable(),
    },
    {
      indexes: { service_accounts_listed: { on: "project_id, id", where: "deleted_at_ms IS NULL" } },
    },
  ),
  // Limits are lists; null is no limit. `rotated_from` is the key that it replaced.
  table(
    "project_api_keys",
    {
      id: text.primaryKey(),
      project_id: text.references("projects.id"),
      name: text,
      hash: text.unique(),
      last_four: text,
      created_at_ms: time,
      revoked_at_ms: time.nullable(),
      service_account_id: text.nullable().references("service_accounts.id"),
      expires_at_ms: time.nullable(),
      models: json.nullable(),
      endpoints: json.nullable(),
      created_by_kind: text.nullable(),
      created_by_id: text.nullable(),
      created_by_name: text.nullable(),
      rotated_from: text.nullable(),
    },
    {
      indexes: {
        project_api_keys_listed: { on: "project_id, id", where: "revoked_at_ms IS NULL" },
        project_api_keys_of_account: { on: "service_account_id", where: "revoked_at_ms IS NULL" },
      },
    },
  ),
  table(
    "admin_api_keys",
    {
      id: text.primaryKey(),
      name: text,
      role_id: text,
      hash: text.unique(),
      last_four: text,
      created_at_ms: time,
      revoked_at_ms: time.nullable(),
      expires_at_ms: time.nullable(),
      last_used_at_ms: time.nullable(),
    },
    {
      indexes: {
        admin_api_keys_listed: { on: "id", where: "revoked_at_ms IS NULL" },
        admin_api_keys_by_role: { on: "role_id, id", where: "revoked_at_ms IS NULL" },
        admin_api_keys_as_holders: {
          on: "role_id || ':organization:' || id",
          where: "revoked_at_ms IS NULL",
        },
      },
    },
  ),
  table(
    "key_uses",
    {
      key_id: text.primaryKey(),
      last_used_at_ms: time,
    },
    {
      withoutRowid: true,
    },
  ),
];
