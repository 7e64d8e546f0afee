import { type Kysely, sql } from "kysely";

/** Requests refused for lack of a key, a session or a permission, counted per minute. Ids sort by time. */
const statements = [
  `CREATE TABLE access_refusals (
    id TEXT PRIMARY KEY, first_at_ms INTEGER NOT NULL, last_at_ms INTEGER NOT NULL,
    caller_kind TEXT, caller_id TEXT, caller_name TEXT, operation TEXT, project_id TEXT, ip TEXT,
    status INTEGER NOT NULL, code TEXT NOT NULL, refusals INTEGER NOT NULL, request_id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX access_refusals_of_caller ON access_refusals (caller_id, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
