import { type Kysely, sql } from "kysely";

const kept = `id, amount, reference, created_at_ms, maker_kind, maker_id, maker_name, status, decided_at_ms, decider_kind,
  decider_id, decider_name, reason, entry_id, note, corrects, correction_reason`;

/**
 * Changes of the approval amount wait like payments, which they are not: SQLite can't change a CHECK, so the table is
 * copied. What was recorded without approval is counted for a day.
 */
const statements = [
  "ALTER TABLE payment_approval ADD COLUMN since_ms INTEGER",
  "UPDATE payment_approval SET since_ms = updated_at_ms WHERE above IS NOT NULL",
  `CREATE TABLE unapproved_payments (
    id TEXT PRIMARY KEY, payer_id TEXT NOT NULL, amount INTEGER NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX unapproved_payments_payer ON unapproved_payments(payer_id, created_at_ms)",
  `CREATE TABLE new_pending_payments (
    id TEXT PRIMARY KEY, amount INTEGER NOT NULL, reference TEXT, created_at_ms INTEGER NOT NULL,
    maker_kind TEXT NOT NULL, maker_id TEXT NOT NULL, maker_name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status = 'pending' OR status = 'approved' OR status = 'declined'),
    decided_at_ms INTEGER, decider_kind TEXT, decider_id TEXT, decider_name TEXT, reason TEXT, entry_id TEXT,
    note TEXT, corrects TEXT, correction_reason TEXT CHECK ((corrects IS NULL) = (correction_reason IS NULL)),
    sets_approval INTEGER NOT NULL DEFAULT 0 CHECK (sets_approval = 0 OR sets_approval = 1),
    approval_above INTEGER CHECK (approval_above >= 0),
    CHECK (iif(sets_approval, amount = 0, amount > 0 AND approval_above IS NULL)),
    CHECK ((status = 'pending') = (decided_at_ms IS NULL)),
    CHECK ((status = 'approved' AND NOT sets_approval) = (entry_id IS NOT NULL)),
    CHECK (status <> 'approved' OR decider_id <> maker_id)
  ) STRICT`,
  `INSERT INTO new_pending_payments (${kept}) SELECT ${kept} FROM pending_payments`,
  "DROP TABLE pending_payments",
  "ALTER TABLE new_pending_payments RENAME TO pending_payments",
  "CREATE INDEX pending_payments_status ON pending_payments(status, id)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
