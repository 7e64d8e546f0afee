import { type Kysely, sql } from "kysely";

/** What the check that refused a call said of itself, as JSON: a receipt tells no figure that was not recorded. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE uncharged_calls ADD COLUMN facts TEXT").execute(database);
}
