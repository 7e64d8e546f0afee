import { type Kysely, sql } from "kysely";

/**
 * The most that was ever used at once of each limit, and how often it refused, by the hour and the day: sampled and folded apart
 * from calls. Refusals are folded up to the minute that `limit_uses_end` tells.
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
