import { type Kysely, sql } from "kysely";

const statements = [
  // Which sender is at it, and from when another may take it.
  "ALTER TABLE alert_deliveries ADD COLUMN claimed_by TEXT",
  "ALTER TABLE alert_deliveries ADD COLUMN claimed_until_ms INTEGER",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
