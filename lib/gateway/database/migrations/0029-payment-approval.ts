import { type Kysely, sql } from "kysely";

const tables = [
  // At most one row: a payment above this amount, in nano-units, waits for a second person.
  `CREATE TABLE payment_approval (
    one INTEGER PRIMARY KEY CHECK (one = 1), above INTEGER CHECK (above >= 0), updated_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE pending_payments (
    id TEXT PRIMARY KEY, amount INTEGER NOT NULL CHECK (amount > 0), reference TEXT, created_at_ms INTEGER NOT NULL,
    maker_kind TEXT NOT NULL, maker_id TEXT NOT NULL, maker_name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status = 'pending' OR status = 'approved' OR status = 'declined'),
    decided_at_ms INTEGER, decider_kind TEXT, decider_id TEXT, decider_name TEXT, reason TEXT, entry_id TEXT,
    CHECK ((status = 'pending') = (decided_at_ms IS NULL)),
    CHECK ((status = 'approved') = (entry_id IS NOT NULL)),
    CHECK (status <> 'approved' OR decider_id <> maker_id)
  ) STRICT`,
  "CREATE INDEX pending_payments_status ON pending_payments(status, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await sql.raw(table).execute(database);
}
