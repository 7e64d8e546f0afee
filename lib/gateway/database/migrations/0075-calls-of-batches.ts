import { type Kysely, sql } from "kysely";

/** The batch of a call, which is null for live calls and for those before this migration. */
const statements = [
  "ALTER TABLE holds ADD COLUMN batch_id TEXT",
  "ALTER TABLE ledger_entries ADD COLUMN batch_id TEXT",
  "ALTER TABLE uncharged_calls ADD COLUMN batch_id TEXT",
  "CREATE INDEX ledger_entries_of_batches ON ledger_entries (batch_id, id) WHERE batch_id IS NOT NULL",
  "CREATE INDEX uncharged_calls_of_batches ON uncharged_calls (batch_id, id) WHERE batch_id IS NOT NULL",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
