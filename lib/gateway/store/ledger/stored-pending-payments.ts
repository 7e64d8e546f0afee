import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import type { Payment } from "../../balance/funds";
import type { PaymentApproval, PaymentPerson, PendingPayment } from "../../balance/payments/pending-payment";

interface PendingRow {
  id: string;
  amount: bigint;
  reference: string | null;
  note: string | null;
  created_at_ms: bigint;
  maker_kind: PaymentPerson["kind"];
  maker_id: string;
  maker_name: string;
  status: PendingPayment["status"];
}

/**
 * Payments that need a second person, on the writer's connection: judged and written in the transaction of their entry.
 */
export class StoredPendingPayments {
  readonly #statements;

  constructor(sqlite: Database) {
    this.#statements = {
      above: sqlite.prepare<{ above: bigint | null }, []>("SELECT above FROM payment_approval"),
      find: sqlite.prepare<PendingRow, [string]>(
        `SELECT id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name, status
         FROM pending_payments WHERE id = ?`,
      ),
      insert: sqlite.prepare<null, (string | bigint | number | null)[]>(
        `INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name)
         VALUES ('pending', ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      approve: sqlite.prepare<null, (string | number)[]>(
        `UPDATE pending_payments SET status = 'approved', decided_at_ms = ?, decider_kind = ?, decider_id = ?,
           decider_name = ?, entry_id = ? WHERE id = ? AND status = 'pending'`,
      ),
    };
  }

  /** Whether a payment of this amount needs approval, by the present setting. */
  mustWait(amount: bigint): boolean {
    const above = this.#statements.above.get()?.above ?? null;
    return above !== null && amount > above;
  }

  find(id: string): (Payment & { readonly maker: PaymentPerson; readonly status: string }) | null {
    const row = this.#statements.find.get(id);
    if (!row) return null;
    return {
      id: row.id,
      amount: toNano(row.amount),
      reference: row.reference,
      note: row.note,
      createdAtMs: Number(row.created_at_ms),
      maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
      status: row.status,
    };
  }

  insert(
    { id, amount, reference, note, createdAtMs }: Payment,
    { kind, id: makerId, name }: PaymentPerson,
  ): void {
    this.#statements.insert.run(id, amount, reference, note ?? null, createdAtMs, kind, makerId, name);
  }

  approve({ pendingId, entryId, approver, atMs }: PaymentApproval): void {
    this.#statements.approve.run(atMs, approver.kind, approver.id, approver.name, entryId, pendingId);
  }
}
