import { type Kysely, sql } from "kysely";

/** Lets each replaced callback secret sign for a day, even if its successor is replaced within that day. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw("ALTER TABLE callback_secrets ADD COLUMN earlier_rotations_ms TEXT NOT NULL DEFAULT '[]'")
    .execute(database);
}
