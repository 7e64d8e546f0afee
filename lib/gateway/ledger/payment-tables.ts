import type { PaymentPerson, PendingPayment } from "./payments/pending-payment";

/** The tables of payments and corrections that need a second person; see `schema.ts` for units. */
export interface PaymentTables {
  /** One row, or none: see `database/tables/payments.ts`. */
  payment_approval: {
    one: 1;
    above: bigint | null;
    updated_at_ms: number;
    /** Since when payments have needed approval without a gap; null if none does. */
    since_ms: number | null;
  };
  /** The payments and corrections of the last day that needed no approval, by who stands behind their makers. */
  unapproved_payments: { id: string; payer_id: string; amount: bigint; created_at_ms: number };
  /** Payments and corrections above the approval amount, and changes of that amount. */
  pending_payments: {
    id: string;
    amount: bigint;
    reference: string | null;
    note: string | null;
    created_at_ms: number;
    maker_kind: PaymentPerson["kind"];
    maker_id: string;
    maker_name: string;
    status: PendingPayment["status"];
    decided_at_ms: number | null;
    decider_kind: PaymentPerson["kind"] | null;
    decider_id: string | null;
    decider_name: string | null;
    reason: string | null;
    entry_id: string | null;
    /** For a pending correction, the corrected entry; null on payments. */
    corrects: string | null;
    correction_reason: string | null;
    /** 1 for a change of the approval amount, to `approval_above`, whose `amount` is 0. */
    sets_approval: number;
    approval_above: bigint | null;
  };
}
