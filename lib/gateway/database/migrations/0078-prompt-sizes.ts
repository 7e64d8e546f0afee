import { type Kysely, sql } from "kysely";

const change = (bytes: string, prompt: string) =>
  `UPDATE prompt_sizes SET bytes = bytes + ${bytes} WHERE prompt_id = ${prompt};`;

const promptOfRun = "(SELECT prompt_id FROM prompt_runs WHERE id = NEW.run_id)";

/**
 * The bytes that each prompt takes with its versions, its runs and their results, kept by triggers, so that one
 * member's prompts can be bounded without reading them. Versions are deleted with their prompt only, and results with
 * their run.
 */
const statements = [
  `CREATE TABLE prompt_sizes (
    prompt_id TEXT PRIMARY KEY REFERENCES prompts(id) ON DELETE CASCADE, owner_id TEXT NOT NULL, bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX prompt_sizes_by_owner ON prompt_sizes(owner_id, bytes)",
  `INSERT INTO prompt_sizes (prompt_id, owner_id, bytes) SELECT id, owner_id, octet_length(sealed_cases)
    + (SELECT coalesce(sum(octet_length(sealed_content)), 0) FROM prompt_versions WHERE prompt_id = prompts.id)
    + (SELECT coalesce(sum(octet_length(sealed_cases)), 0) FROM prompt_runs WHERE prompt_id = prompts.id)
    + (SELECT coalesce(sum(octet_length(sealed_result)), 0) FROM prompt_results
        WHERE run_id IN (SELECT id FROM prompt_runs WHERE prompt_id = prompts.id))
    FROM prompts`,
  `CREATE TRIGGER prompts_are_sized AFTER INSERT ON prompts BEGIN
    INSERT INTO prompt_sizes (prompt_id, owner_id, bytes) VALUES (NEW.id, NEW.owner_id, octet_length(NEW.sealed_cases)); END`,
  `CREATE TRIGGER prompt_cases_are_sized AFTER UPDATE OF sealed_cases ON prompts BEGIN
    ${change("octet_length(NEW.sealed_cases) - octet_length(OLD.sealed_cases)", "NEW.id")} END`,
  `CREATE TRIGGER prompt_versions_are_sized AFTER INSERT ON prompt_versions BEGIN
    ${change("octet_length(NEW.sealed_content)", "NEW.prompt_id")} END`,
  `CREATE TRIGGER prompt_runs_are_sized AFTER INSERT ON prompt_runs BEGIN
    ${change("octet_length(NEW.sealed_cases)", "NEW.prompt_id")} END`,
  // The trigger runs before the run is deleted, while its results are there.
  `CREATE TRIGGER prompt_runs_are_freed BEFORE DELETE ON prompt_runs BEGIN
    ${change(
      `-octet_length(OLD.sealed_cases)
        - (SELECT coalesce(sum(octet_length(sealed_result)), 0) FROM prompt_results WHERE run_id = OLD.id)`,
      "OLD.prompt_id",
    )} END`,
  `CREATE TRIGGER prompt_results_are_sized AFTER INSERT ON prompt_results BEGIN
    ${change("octet_length(NEW.sealed_result)", promptOfRun)} END`,
  `CREATE TRIGGER prompt_results_are_sized_again AFTER UPDATE ON prompt_results BEGIN
    ${change("octet_length(NEW.sealed_result) - octet_length(OLD.sealed_result)", promptOfRun)} END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
