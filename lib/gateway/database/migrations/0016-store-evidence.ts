import { type Kysely, sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { toNano } from "@/lib/money/amount";
import { auditExistingRows } from "../../changes/audit/audited-tables.sql";
import { paymentChange } from "../../ledger/payments/posting";

const statements = [
  // Set on the last entry of a batch: the hash that chains the batch to the one before.
  "ALTER TABLE ledger_entries ADD COLUMN hash BLOB",
  // Earlier entries are in no chain.
  "CREATE TABLE ledger_chain (one INTEGER PRIMARY KEY CHECK (one = 1), starts_after INTEGER NOT NULL) STRICT",
  "INSERT INTO ledger_chain (one, starts_after) SELECT 1, coalesce(max(seq), 0) FROM ledger_entries",
  // The gateway that writes to this store. A gateway that finds another id here has been replaced.
  "CREATE TABLE store_owner (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT",
  "DROP TRIGGER audit_logs_are_not_deleted",
  // Old events may be deleted once an event in the log records the cut and the hash of the last deleted event.
  `CREATE TRIGGER audit_logs_are_not_deleted BEFORE DELETE ON audit_logs
    WHEN OLD.seq > coalesce((SELECT json_extract(changes, '$[0].after.length') FROM audit_logs
      WHERE type = '${otherEvents.auditCut}' ORDER BY seq DESC LIMIT 1), 0)
    BEGIN SELECT RAISE(ABORT, 'audit events are immutable'); END`,
];

export async function up(database: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  await auditExistingRows(database);
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
