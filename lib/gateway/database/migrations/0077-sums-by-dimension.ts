import { type Kysely, sql } from "kysely";

const place =
  "dimension TEXT NOT NULL, width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, value TEXT NOT NULL";
const key = "PRIMARY KEY (dimension, width_ms, start_ms, value)";

/**
 * The sums of each hour and day by a single column: project, key, model or provider. They are computed in the
 * background from `call_sums`, oldest first, and contain all calls before `until_ms`. Latencies, which are long, have a
 * table of their own.
 */
const statements = [
  `CREATE TABLE sums_by_dimension (${place}, requests INTEGER NOT NULL, errors INTEGER NOT NULL, amount INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL, ${key}) STRICT, WITHOUT ROWID`,
  `CREATE TABLE latencies_by_dimension (${place}, durations TEXT NOT NULL, first_bytes TEXT NOT NULL, ${key}) STRICT, WITHOUT ROWID`,
  "CREATE TABLE sums_by_dimension_end (width_ms INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL) STRICT",
  "INSERT INTO sums_by_dimension_end (width_ms, until_ms) VALUES (86400000, 0), (3600000, 0)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
