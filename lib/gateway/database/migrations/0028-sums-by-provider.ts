import { type Kysely, sql } from "kysely";

const figures = `calls, amount, max_amount, max_duration_ms, prompt_tokens, completion_tokens`;
const place = "width_ms, start_ms, project_id, key_id, model";

/**
 * Adds providers ('' for none) and cached tokens to the sums of calls. Earlier calls have neither, so their sums are
 * copied; a recount would lose the calls that have been deleted.
 */
const statements = [
  "ALTER TABLE call_totals ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE call_sums RENAME TO former_call_sums",
  `CREATE TABLE call_sums (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    provider TEXT NOT NULL, outcome TEXT NOT NULL, status INTEGER NOT NULL, refused_by TEXT NOT NULL,
    calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL, max_duration_ms INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cached_tokens INTEGER NOT NULL,
    durations TEXT NOT NULL, first_bytes TEXT NOT NULL,
    PRIMARY KEY (${place}, provider, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO call_sums (${place}, provider, outcome, status, refused_by, ${figures}, cached_tokens, durations, first_bytes)
    SELECT ${place}, '', outcome, status, refused_by, ${figures}, 0, durations, first_bytes FROM former_call_sums`,
  "DROP TABLE former_call_sums",
  ...["project_id", "key_id", "model", "provider"].map(
    (column) =>
      `CREATE INDEX call_sums_by_${column} ON call_sums(${column}, start_ms) WHERE width_ms = 86400000`,
  ),
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
