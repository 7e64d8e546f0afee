import { type Kysely, sql } from "kysely";

/**
 * Calls summed by the hour and by the day, after they are written and apart from it: they say where in time calls of a kind are,
 * so that a search passes over the rest. A sum is of all charges up to `seq`, and of all other calls but those that are noted.
 */
const statements = [
  `CREATE TABLE call_sums (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    outcome TEXT NOT NULL, status INTEGER NOT NULL, refused_by TEXT NOT NULL,
    calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL, max_duration_ms INTEGER NOT NULL,
    PRIMARY KEY (width_ms, start_ms, project_id, key_id, model, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  // The days of one of these are found at once. A day's sum is made once and then added to, which no index has to follow.
  ...["project_id", "key_id", "model"].map(
    (column) =>
      `CREATE INDEX call_sums_by_${column} ON call_sums(${column}, start_ms) WHERE width_ms = 86400000`,
  ),
  // The same of all projects, keys and models together: what is asked most often is read from few rows.
  `CREATE TABLE call_totals (
    width_ms INTEGER NOT NULL, start_ms INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER NOT NULL,
    refused_by TEXT NOT NULL, calls INTEGER NOT NULL, amount INTEGER NOT NULL, max_amount INTEGER NOT NULL,
    max_duration_ms INTEGER NOT NULL, PRIMARY KEY (width_ms, start_ms, outcome, status, refused_by)
  ) STRICT, WITHOUT ROWID`,
  "CREATE TABLE call_sums_end (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL) STRICT",
  "INSERT INTO call_sums_end (one, seq) VALUES (1, 0)",
  // Charges are in the order of their writing; the others are in that of their ids alone, so they are noted.
  "CREATE TABLE unsummed_calls (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
  "INSERT INTO unsummed_calls (id) SELECT id FROM uncharged_calls",
  `CREATE TRIGGER uncharged_calls_are_noted AFTER INSERT ON uncharged_calls
    BEGIN INSERT INTO unsummed_calls (id) VALUES (NEW.id); END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
