import { type Kysely, sql } from "kysely";

const events = [
  ["inserted", "INSERT", "NEW"],
  ["updated", "UPDATE", "NEW"],
  ["deleted", "DELETE", "OLD"],
] as const;

/**
 * How often the counts of refusals of a day (UTC) were changed. While this number stays the same, so do they, and what
 * was read of them can be kept in memory. A row is never deleted, so that no number comes back.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE refusal_days (day_ms INTEGER PRIMARY KEY, changes INTEGER NOT NULL) STRICT`.execute(
    database,
  );
  for (const [name, event, row] of events) {
    await sql
      .raw(
        `CREATE TRIGGER refusal_counts_${name} AFTER ${event} ON refusal_counts BEGIN
           INSERT INTO refusal_days (day_ms, changes) VALUES (${row}.minute_ms - ${row}.minute_ms % 86400000, 1)
           ON CONFLICT DO UPDATE SET changes = changes + 1;
         END`,
      )
      .execute(database);
  }
}
