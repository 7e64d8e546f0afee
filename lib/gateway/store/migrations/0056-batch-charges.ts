import { type Kysely, sql } from "kysely";

/** The sum of a batch's charges; null where nobody has counted them from its first line on. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE batches ADD COLUMN charged INTEGER CHECK (charged >= 0)").execute(database);
}
