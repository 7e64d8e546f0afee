import { type Kysely, sql } from "kysely";

/** Adds the trace of the call that made a task, until the task ends, and lists a caller's own tasks by index. */
const statements = [
  "ALTER TABLE tasks ADD COLUMN trace TEXT",
  "CREATE INDEX tasks_by_maker ON tasks(key_id, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
