import { type Kysely, sql } from "kysely";

const statements = [
  "ALTER TABLE tasks ADD COLUMN callback_receiver TEXT",
  `CREATE TABLE task_callbacks (
    task_id TEXT PRIMARY KEY, receiver TEXT NOT NULL, url TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'exhausted')), tries INTEGER NOT NULL, due_at_ms INTEGER,
    ended_at_ms INTEGER, claimed_by TEXT, claimed_until_ms INTEGER,
    CHECK ((status = 'pending') = (due_at_ms IS NOT NULL))
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX task_callbacks_due ON task_callbacks(due_at_ms) WHERE status = 'pending'",
  `CREATE TABLE task_callback_tries (
    seq INTEGER PRIMARY KEY, task_id TEXT NOT NULL, at_ms INTEGER NOT NULL, took_ms INTEGER NOT NULL, status INTEGER, failure TEXT
  ) STRICT`,
  "CREATE INDEX task_callback_tries_by_task ON task_callback_tries(task_id, seq)",
  `CREATE TABLE callback_secrets (
    project_id TEXT PRIMARY KEY, version INTEGER NOT NULL, rotated_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
