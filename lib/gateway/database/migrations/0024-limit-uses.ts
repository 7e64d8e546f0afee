import { type Kysely, sql } from "kysely";

/**
 * The peak use of each limit and the number of its refusals, by hour and day. Peaks are sampled; refusals are summed up
 * to the minute in `limit_uses_end`.
 */
const statements = [
  `CREATE TABLE limit_uses (
    project_id TEXT NOT NULL, width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, model TEXT NOT NULL, field TEXT NOT NULL,
    peak INTEGER NOT NULL, refusals INTEGER NOT NULL,
    PRIMARY KEY (project_id, width_ms, start_ms, model, field)
  ) STRICT, WITHOUT ROWID`,
  "CREATE TABLE limit_uses_end (one INTEGER PRIMARY KEY CHECK (one = 1), minute_ms INTEGER NOT NULL) STRICT",
  "INSERT INTO limit_uses_end (one, minute_ms) VALUES (1, 0)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
