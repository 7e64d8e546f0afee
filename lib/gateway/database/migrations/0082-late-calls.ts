import { type Kysely, sql } from "kysely";

/**
 * How often calls were added to hours or days whose sums by dimension were computed already. While this number stays
 * the same, so do these sums, and their rows can be kept in memory.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sums_by_dimension_end ADD COLUMN late_additions INTEGER NOT NULL DEFAULT 0`.execute(
    database,
  );
}
