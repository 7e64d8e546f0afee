import { type Kysely, sql } from "kysely";

/** Adds the key or member that uploaded a file, or whose batch wrote it; null for existing files. */
const statements = [
  "ALTER TABLE files ADD COLUMN key_id TEXT",
  `UPDATE files SET key_id = (
    SELECT key_id FROM batches WHERE files.id IN (batches.output_file_id, batches.error_file_id)
  ) WHERE purpose = 'batch_output'`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
