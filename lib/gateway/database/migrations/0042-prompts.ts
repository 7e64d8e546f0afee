import { type Kysely, sql } from "kysely";

/** Saved prompts. Names, cases and versions are encrypted. */
const statements = [
  `CREATE TABLE prompts (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, owner_id TEXT NOT NULL, owner_name TEXT NOT NULL,
    sealed_name TEXT NOT NULL, is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)), sealed_cases TEXT NOT NULL,
    latest_version INTEGER NOT NULL, created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX prompts_shared ON prompts(project_id, id) WHERE is_shared = 1",
  "CREATE INDEX prompts_by_owner ON prompts(owner_id, is_shared, project_id, id)",
  `CREATE TABLE prompt_versions (
    id TEXT PRIMARY KEY, prompt_id TEXT NOT NULL REFERENCES prompts(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    author_id TEXT NOT NULL, author_name TEXT NOT NULL, sealed_content TEXT NOT NULL, created_at_ms INTEGER NOT NULL,
    UNIQUE (prompt_id, number)
  ) STRICT`,
  "CREATE INDEX prompt_versions_by_prompt ON prompt_versions(prompt_id, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
