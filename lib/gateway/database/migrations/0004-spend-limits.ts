import { type Kysely, sql } from "kysely";

/** `scope` is a project's id, or `organization`. */
const table = `CREATE TABLE spend_limits (
  scope TEXT PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount >= 0), updated_at_ms INTEGER NOT NULL
) STRICT`;

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(table).execute(database);
}
