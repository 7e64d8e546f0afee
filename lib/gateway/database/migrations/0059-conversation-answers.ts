import { type Kysely, sql } from "kysely";

/** Adds replies of calls that continue without their client, in encrypted parts, deleted after 30 days. */
const statements = [
  `CREATE TABLE conversation_answers (
    id TEXT PRIMARY KEY, conversation_id TEXT NOT NULL, owner_id TEXT NOT NULL, request_id TEXT NOT NULL,
    status INTEGER, content_type TEXT, max_tokens TEXT, is_running INTEGER NOT NULL CHECK (is_running IN (0, 1)),
    is_canceled INTEGER NOT NULL CHECK (is_canceled IN (0, 1)), updated_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX conversation_answers_by_conversation ON conversation_answers(conversation_id)",
  "CREATE INDEX conversation_answers_by_age ON conversation_answers(updated_at_ms)",
  `CREATE TABLE conversation_answer_parts (
    answer_id TEXT NOT NULL REFERENCES conversation_answers(id) ON DELETE CASCADE, number INTEGER NOT NULL,
    sealed_text TEXT NOT NULL, PRIMARY KEY (answer_id, number)
  ) STRICT, WITHOUT ROWID`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
