import { type Kysely, sql } from "kysely";

/** The figures of the check that refused a call, as JSON: receipts show recorded figures only. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE uncharged_calls ADD COLUMN facts TEXT").execute(database);
}
