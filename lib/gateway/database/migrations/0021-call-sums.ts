import { type Kysely, sql } from "kysely";

/**
 * Calls summed by hour and day, in the background. They show when calls of a kind were made, so that searches can skip
 * the other hours. The sums contain all charges up to `seq`, and all other calls except those in `unsummed_calls`.
 */
const statements = [
  `CREATE TABLE call_sums (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    outcome TEXT NOT NULL, status INTEGER NOT NULL, refused_by TEXT NOT NULL,
    calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL, max_duration_ms INTEGER NOT NULL,
    PRIMARY KEY (width_ms, start_ms, project_id, key_id, model, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  // Finds the days of one project, key or model. Only daily sums are indexed: they are inserted once and then updated,
  // which changes no index.
  ...["project_id", "key_id", "model"].map(
    (column) =>
      `CREATE INDEX call_sums_by_${column} ON call_sums(${column}, start_ms) WHERE width_ms = 86400000`,
  ),
  // The same sums for all projects, keys and models together, so that the most frequent questions read few rows.
  `CREATE TABLE call_totals (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER NOT NULL,
    refused_by TEXT NOT NULL, calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL,
    max_duration_ms INTEGER NOT NULL, PRIMARY KEY (width_ms, start_ms, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  "CREATE TABLE call_sums_end (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL) STRICT",
  "INSERT INTO call_sums_end (one, seq) VALUES (1, 0)",
  // Charges are summed in the order of `seq`. Other calls have no such order, so the unsummed ones are listed.
  "CREATE TABLE unsummed_calls (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
  "INSERT INTO unsummed_calls (id) SELECT id FROM uncharged_calls",
  `CREATE TRIGGER uncharged_calls_are_noted AFTER INSERT ON uncharged_calls
    BEGIN INSERT INTO unsummed_calls (id) VALUES (NEW.id); END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
