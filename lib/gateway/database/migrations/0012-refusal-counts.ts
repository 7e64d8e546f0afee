import { type Kysely, sql } from "kysely";

/**
 * Refusals counted per minute. The number of rows depends on the keys, models and reasons, not on how often callers
 * try.
 */
const table = `CREATE TABLE refusal_counts (
  minute_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL, refused_by TEXT NOT NULL,
  refusals INTEGER NOT NULL, estimated_tokens INTEGER NOT NULL,
  PRIMARY KEY (minute_ms, project_id, key_id, model, refused_by)
) STRICT, WITHOUT ROWID`;

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(table).execute(database);
}
