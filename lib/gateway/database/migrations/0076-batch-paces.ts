import { type Kysely, sql } from "kysely";

/** Adds how fast a batch's lines are answered, as JSON, so that every process can tell. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE batches ADD COLUMN pace TEXT").execute(database);
}
