import { type Kysely, sql } from "kysely";

const TIMEOUTS = ["connect", "whole_answer", "first_event", "idle", "total"];

/** The time limits of stored providers, null for the default, and the fields that their servers refuse. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const name of TIMEOUTS) {
    await sql.raw(`ALTER TABLE providers ADD COLUMN ${name}_seconds REAL`).execute(database);
  }
  await sql`ALTER TABLE providers ADD COLUMN refused_fields TEXT NOT NULL DEFAULT '[]'`.execute(database);
}
