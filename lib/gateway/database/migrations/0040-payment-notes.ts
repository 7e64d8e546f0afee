import { type Kysely, sql } from "kysely";

/** A person's note about a payment. On ledger entries the batch's hash covers it. */
const statements = [
  "ALTER TABLE ledger_entries ADD COLUMN note TEXT",
  "ALTER TABLE pending_payments ADD COLUMN note TEXT",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
