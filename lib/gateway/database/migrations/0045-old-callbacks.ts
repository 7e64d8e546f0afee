import { type Kysely, sql } from "kysely";

/** Finds finished callbacks by age, and ended tasks of any status that may still have files. */
const statements = [
  "CREATE INDEX task_callbacks_over ON task_callbacks(ended_at_ms) WHERE status <> 'pending'",
  "DROP INDEX tasks_with_outputs",
  "CREATE INDEX tasks_with_outputs ON tasks(ended_at_ms) WHERE outputs_deleted_at_ms IS NULL",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
