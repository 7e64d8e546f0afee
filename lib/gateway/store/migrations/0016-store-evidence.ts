import { type Kysely, sql } from "kysely";
import { AUDIT_CUT } from "@/lib/contract/audit-events";
import { toNano } from "@/lib/money/amount";
import { paymentChange } from "../audit/audit-trail";
import { noteRowsAsFound } from "../audit/audited-tables";

const statements = [
  // Of a batch's last entry: what chains the batch to the one before.
  "ALTER TABLE ledger_entries ADD COLUMN hash BLOB",
  // Entries from before are in no chain.
  "CREATE TABLE ledger_chain (one INTEGER PRIMARY KEY CHECK (one = 1), starts_after INTEGER NOT NULL) STRICT",
  "INSERT INTO ledger_chain (one, starts_after) SELECT 1, coalesce(max(seq), 0) FROM ledger_entries",
  // Whoever writes here is the one whose id this is: a gateway that finds another's has lost its place.
  "CREATE TABLE store_owner (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT",
  "DROP TRIGGER audit_logs_are_not_deleted",
  // Old events go once the log itself says so: in an event that stays, with the hash of the last one that goes.
  `CREATE TRIGGER audit_logs_are_not_deleted BEFORE DELETE ON audit_logs
    WHEN OLD.seq > coalesce((SELECT json_extract(changes, '$[0].after.length') FROM audit_logs
      WHERE type = '${AUDIT_CUT}' ORDER BY seq DESC LIMIT 1), 0)
    BEGIN SELECT RAISE(ABORT, 'audit events are immutable'); END`,
];

export async function up(database: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  await noteRowsAsFound(database);
  await notePaymentsAsFound(database);
}

interface Payment {
  readonly id: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly createdAtMs: number;
}

async function notePaymentsAsFound(database: Kysely<never>): Promise<void> {
  const payments =
    await sql<Payment>`SELECT id, cast(amount AS text) AS amount, reference, created_at_ms AS createdAtMs
    FROM ledger_entries WHERE kind = 'payment'`.execute(database);
  for (const payment of payments.rows) {
    const { object, id, after } = paymentChange({ ...payment, amount: toNano(BigInt(payment.amount)) });
    await sql`INSERT INTO audit_pending (object, id, after)
      VALUES (${object}, ${id}, ${JSON.stringify(after)})`.execute(database);
  }
}
