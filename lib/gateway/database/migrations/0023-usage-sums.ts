import { type Kysely, sql } from "kysely";

const sums = `outcome TEXT NOT NULL, status INTEGER NOT NULL, refused_by TEXT NOT NULL,
    calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL, max_duration_ms INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
    durations TEXT NOT NULL, first_bytes TEXT NOT NULL`;

/**
 * Adds tokens to the sums of calls and, as JSON from bucket to count, the durations of completed calls. All sums are
 * computed again in the background from the calls that are still stored.
 */
const statements = [
  "DROP TABLE call_sums",
  "DROP TABLE call_totals",
  `CREATE TABLE call_sums (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    ${sums}, PRIMARY KEY (width_ms, start_ms, project_id, key_id, model, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  ...["project_id", "key_id", "model"].map(
    (column) =>
      `CREATE INDEX call_sums_by_${column} ON call_sums(${column}, start_ms) WHERE width_ms = 86400000`,
  ),
  `CREATE TABLE call_totals (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL,
    ${sums}, PRIMARY KEY (width_ms, start_ms, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  "UPDATE call_sums_end SET seq = 0",
  "INSERT OR IGNORE INTO unsummed_calls (id) SELECT id FROM uncharged_calls",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
