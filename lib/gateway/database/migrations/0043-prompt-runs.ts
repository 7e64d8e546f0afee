import { type Kysely, sql } from "kysely";

/** Runs of a prompt's cases and the answers of their calls, encrypted. */
const statements = [
  `CREATE TABLE prompt_runs (
    id TEXT PRIMARY KEY, prompt_id TEXT NOT NULL REFERENCES prompts(id) ON DELETE CASCADE,
    author_id TEXT NOT NULL, author_name TEXT NOT NULL, versions TEXT NOT NULL, models TEXT NOT NULL,
    sealed_cases TEXT NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX prompt_runs_by_prompt ON prompt_runs(prompt_id, id)",
  "CREATE INDEX prompt_runs_by_age ON prompt_runs(created_at_ms)",
  `CREATE TABLE prompt_results (
    run_id TEXT NOT NULL REFERENCES prompt_runs(id) ON DELETE CASCADE, version INTEGER NOT NULL,
    case_number INTEGER NOT NULL, model TEXT NOT NULL, sealed_result TEXT NOT NULL,
    PRIMARY KEY (run_id, version, case_number, model)
  ) STRICT, WITHOUT ROWID`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
