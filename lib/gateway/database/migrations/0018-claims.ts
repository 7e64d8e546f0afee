import { type Kysely, sql } from "kysely";

const statements = [
  // The sender that delivers the message now, and the time from which another one may take it over.
  "ALTER TABLE alert_deliveries ADD COLUMN claimed_by TEXT",
  "ALTER TABLE alert_deliveries ADD COLUMN claimed_until_ms INTEGER",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
