import { type Kysely, sql } from "kysely";

/**
 * Each project's settings for stored request bodies, and the bodies: encrypted, and deleted at the age that the project
 * sets.
 */
const statements = [
  `CREATE TABLE body_settings (
    project_id TEXT PRIMARY KEY REFERENCES projects(id), mode TEXT NOT NULL CHECK (mode IN ('off', 'metadata', 'whole')),
    retention_days INTEGER NOT NULL CHECK (retention_days BETWEEN 1 AND 365), redactions TEXT NOT NULL, set_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE request_bodies (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, at_ms INTEGER NOT NULL, sealed_metadata TEXT NOT NULL, sealed_texts TEXT
  ) STRICT`,
  "CREATE INDEX request_bodies_by_project ON request_bodies(project_id, at_ms)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
