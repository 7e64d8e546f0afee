import { type Kysely, sql } from "kysely";

/** Saved playground conversations, encrypted, and deleted 180 days after their last change. */
const statements = [
  `CREATE TABLE conversations (
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, project_id TEXT, sealed_title TEXT NOT NULL,
    is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)), sealed_content TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX conversations_by_owner ON conversations(owner_id, updated_at_ms, id)",
  "CREATE INDEX conversations_by_age ON conversations(updated_at_ms)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
