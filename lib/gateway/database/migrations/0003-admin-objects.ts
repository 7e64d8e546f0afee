import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE service_accounts (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'none')),
    created_at_ms INTEGER NOT NULL, deleted_at_ms INTEGER
  ) STRICT`,
  `CREATE INDEX service_accounts_by_project ON service_accounts(project_id, id)`,
  `ALTER TABLE project_api_keys ADD COLUMN service_account_id TEXT REFERENCES service_accounts(id)`,
  `ALTER TABLE project_api_keys ADD COLUMN expires_at_ms INTEGER`,
  `ALTER TABLE admin_api_keys ADD COLUMN expires_at_ms INTEGER`,
  `ALTER TABLE admin_api_keys ADD COLUMN last_used_at_ms INTEGER`,
  `CREATE TABLE model_permissions (
    project_id TEXT PRIMARY KEY REFERENCES projects(id),
    mode TEXT NOT NULL CHECK (mode IN ('allow_list', 'deny_list')), model_ids TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE invites (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, role_id TEXT NOT NULL, projects TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, created_at_ms INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL,
    accepted_at_ms INTEGER
  ) STRICT`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
