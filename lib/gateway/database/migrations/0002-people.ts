import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, developer_persona TEXT, technical_level TEXT,
    created_at_ms INTEGER NOT NULL, removed_at_ms INTEGER
  ) STRICT`,
  `CREATE UNIQUE INDEX users_by_email ON users(email) WHERE removed_at_ms IS NULL`,
  `CREATE TABLE groups (
    id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE group_users (
    group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE, user_id TEXT NOT NULL REFERENCES users(id),
    created_at_ms INTEGER NOT NULL, PRIMARY KEY (group_id, user_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX group_users_by_user ON group_users(user_id)`,
  // Projects' roles share the table with the organization's; names are unique within each.
  `ALTER TABLE roles ADD COLUMN project_id TEXT REFERENCES projects(id)`,
  `DROP INDEX roles_by_name`,
  `CREATE UNIQUE INDEX roles_by_name ON roles(resource_type, coalesce(project_id, ''), name)`,
  // A member's or group's role in a project, or in the organization where `project_id` is null. Predefined roles have
  // no row to refer to.
  `CREATE TABLE role_assignments (
    user_id TEXT REFERENCES users(id), group_id TEXT REFERENCES groups(id) ON DELETE CASCADE,
    role_id TEXT NOT NULL, project_id TEXT REFERENCES projects(id), created_at_ms INTEGER NOT NULL,
    CHECK ((user_id IS NULL) <> (group_id IS NULL))
  ) STRICT`,
  `CREATE UNIQUE INDEX role_assignments_once
    ON role_assignments(coalesce(user_id, group_id), role_id, coalesce(project_id, ''))`,
  `CREATE TABLE sessions_of_people_and_keys (
    id TEXT PRIMARY KEY, admin_api_key_id TEXT REFERENCES admin_api_keys(id), user_id TEXT REFERENCES users(id),
    hash TEXT NOT NULL UNIQUE, created_at_ms INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL,
    CHECK ((admin_api_key_id IS NULL) <> (user_id IS NULL))
  ) STRICT`,
  `INSERT INTO sessions_of_people_and_keys (id, admin_api_key_id, hash, created_at_ms, expires_at_ms)
    SELECT id, admin_api_key_id, hash, created_at_ms, expires_at_ms FROM sessions`,
  `DROP TABLE sessions`,
  `ALTER TABLE sessions_of_people_and_keys RENAME TO sessions`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
