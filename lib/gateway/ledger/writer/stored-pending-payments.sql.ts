import type { Database } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import {
  COUNTED_MS,
  type PaymentApproval,
  type PaymentMaker,
  type PaymentPerson,
  type PendingPayment,
} from "../payments/posting";

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
type UndecidedPayment = Omit<PendingPayment, "maker" | "status" | "decision" | "approvalChange">;

/** A payment or a correction, as it counts with others of its payer. */
type Counted = Pick<PendingPayment, "id" | "amount" | "createdAtMs">;

/** Pending payments on the writer's connection. They are checked and written in the transaction of their entry. */
export class StoredPendingPayments {
  readonly #statements;

  constructor(sqlite: Database) {
    this.#statements = {
      above: sqlite.prepare<{ above: bigint | null }, []>("SELECT above FROM payment_approval"),
      find: sqlite.prepare<PendingRow, [string]>(
        `SELECT id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name, status,
           corrects, correction_reason FROM pending_payments WHERE id = ? AND sets_approval = 0`,
      ),
      insert: sqlite.prepare<null, (string | bigint | number | null)[]>(
        `INSERT INTO pending_payments (status, id, amount, reference, note, created_at_ms, maker_kind, maker_id, maker_name,
           corrects, correction_reason) VALUES ('pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      sum: sqlite.prepare<{ amount: bigint | null }, [string, number]>(
        "SELECT sum(amount) AS amount FROM unapproved_payments WHERE payer_id = ? AND created_at_ms > ?",
      ),
      count: sqlite.prepare<null, [string, string, bigint, number]>(
        "INSERT INTO unapproved_payments (id, payer_id, amount, created_at_ms) VALUES (?, ?, ?, ?)",
      ),
      forget: sqlite.prepare<null, [number]>("DELETE FROM unapproved_payments WHERE created_at_ms <= ?"),
      approve: sqlite.prepare<null, (string | number)[]>(
        `UPDATE pending_payments SET status = 'approved', decided_at_ms = ?, decider_kind = ?, decider_id = ?,
           decider_name = ?, entry_id = ? WHERE id = ? AND status = 'pending'`,
      ),
    };
  }

  /**
   * Whether a payment needs approval by the present setting, together with the same payer's payments of a day. A
   * payment without need of approval is counted for a day, if there is a setting.
   */
  mustWait({ id, amount, createdAtMs }: Counted, { payerId }: PaymentMaker): boolean {
    const above = this.#statements.above.get()?.above ?? null;
    if (above === null) return false;
    const sinceMs = createdAtMs - COUNTED_MS;
    const recorded = BigInt(this.#statements.sum.get(payerId, sinceMs)?.amount ?? 0n);
    if (recorded + amount > above) return true;
    this.#statements.forget.run(sinceMs);
    this.#statements.count.run(id, payerId, amount, createdAtMs);
    return false;
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
