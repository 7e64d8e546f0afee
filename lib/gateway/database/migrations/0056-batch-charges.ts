import { type Kysely, sql } from "kysely";

/** Adds the sum of a batch's charges; null for batches that began before this migration. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE batches ADD COLUMN charged INTEGER CHECK (charged >= 0)").execute(database);
}
