import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
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
  corrects: string | null;
  correction_reason: string | null;
}

/** A pending payment or correction. */
type UndecidedPayment = Omit<PendingPayment, "maker" | "status" | "decision">;

/** Pending payments on the writer's connection. They are checked and written in the transaction of their entry. */
export class StoredPendingPayments {
  readonly #statements;

  constructor(sqlite: Database) {
    this.#statements = {
      above: sqlite.prepare<{ above: bigint | null }, []>("SELECT above FROM payment_approval"),
      find: sqlite.prepare<PendingRow, [string]>(
        `SELECT id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name, status,
           corrects, correction_reason FROM pending_payments WHERE id = ?`,
      ),
      insert: sqlite.prepare<null, (string | bigint | number | null)[]>(
        `INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name,
           corrects, correction_reason) VALUES ('pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

  find(id: string): (UndecidedPayment & { readonly maker: PaymentPerson; readonly status: string }) | null {
    const row = this.#statements.find.get(id);
    if (!row) return null;
    return {
      id: row.id,
      amount: toNano(row.amount),
      reference: row.reference,
      note: row.note,
      correction: toCorrection(row),
      createdAtMs: Number(row.created_at_ms),
      maker: { kind: row.maker_kind, id: row.maker_id, name: row.maker_name },
      status: row.status,
    };
  }

  insert(
    { id, amount, reference, note, createdAtMs, correction }: UndecidedPayment,
    { kind, id: makerId, name }: PaymentPerson,
  ): void {
    const what = [id, amount, reference, note, createdAtMs, kind, makerId, name] as const;
    this.#statements.insert.run(...what, correction?.corrects ?? null, correction?.reason ?? null);
  }

  approve({ pendingId, entryId, approver, atMs }: PaymentApproval): void {
    this.#statements.approve.run(atMs, approver.kind, approver.id, approver.name, entryId, pendingId);
  }
}

/** Returns the entry that a pending correction corrects, and the reason; null for a payment. */
export function toCorrection({
  corrects,
  correction_reason: reason,
}: Pick<PendingRow, "corrects" | "correction_reason">): PendingPayment["correction"] {
  return corrects === null || reason === null ? null : { corrects, reason };
}
