import { type Kysely, sql } from "kysely";

/** What the limits count of a call whose provider reported more tokens than it can have used; otherwise null. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE ledger_entries ADD COLUMN counted_tokens INTEGER`.execute(database);
}
