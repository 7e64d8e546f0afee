import type { PendingPayment as PendingPaymentReply } from "@/lib/contract/operations/money/pending-payment";
import { formatAmount } from "@/lib/money/amount";
import type { PendingPayment } from "../../ledger/payments/posting";
import type { ApprovalRefusal } from "../../ledger/payments/second-person";
import { toUnixSeconds } from "../../unix-seconds";

/** A payment or a correction that needs, or needed, a second person's approval, in the API's form. */
export function toPendingPayment(payment: PendingPayment, currency: string): PendingPaymentReply {
  const { id, status, amount, reference, note, paidOn, createdAtMs, maker } = payment;
  const { correction, approvalChange, decision } = payment;
  return {
    object: "pending_payment",
    id,
    status,
    amount: formatAmount(amount),
    currency,
    reference,
    note,
    paid_on: paidOn,
    corrects: correction?.corrects ?? null,
    correction_reason: correction?.reason ?? null,
    sets_approval: approvalChange && {
      above: approvalChange.above === null ? null : formatAmount(approvalChange.above),
    },
    created_at: toUnixSeconds(createdAtMs),
    recorded_by: maker,
    decided_at: decision && toUnixSeconds(decision.atMs),
    decided_by: decision && decision.person,
    reason: decision?.reason ?? null,
    entry_id: decision?.entryId ?? null,
  };
}

export function toRefusal({ message, untilMs }: ApprovalRefusal): PendingPaymentReply["approval_refusal"] {
  return { message, until: untilMs === null ? null : toUnixSeconds(untilMs) };
}
