import { type Kysely, sql } from "kysely";

/**
 * The end of the last minute whose sums were deleted, or left out for their age. It may be later than their age says,
 * if a clock was ahead.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE call_sums_end ADD COLUMN minutes_deleted_until_ms INTEGER NOT NULL DEFAULT 0`.execute(
    database,
  );
}
