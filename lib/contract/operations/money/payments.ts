import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  calendarDay,
  decimal,
  description,
  pageQuery,
  pageSchema,
  positiveDecimal,
  withoutControls,
} from "../../schema";
import { withVersion } from "../../version";
import { ledgerEntry } from "./balance";
import { pendingPayment, pendingPaymentStatuses } from "./pending-payment";

/**
 * `above`: a larger payment waits for a second person; null if no payment does. `waits`: the pending payment that holds
 * a change of it.
 */
const paymentApproval = withVersion(
  z.object({
    object: z.literal("organization.payment_approval"),
    currency: z.string(),
    above: z.nullable(decimal),
    waits: z.optional(z.nullable(z.string())),
  }),
);

export const paymentApprovalDraft = z.strictObject({ above: z.nullable(decimal) });
export type PaymentApprovalDraft = z.output<typeof paymentApprovalDraft>;

export const paymentDraft = z.strictObject({
  amount: positiveDecimal,
  reference: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(200), withoutControls))),
  note: z.optional(z.nullable(description)),
  /** The day on which it was paid, if that is known; not after today. */
  paid_on: z.optional(z.nullable(calendarDay)),
});
export type PaymentDraft = z.output<typeof paymentDraft>;

/** `allow_duplicate`: whether to record it although it equals a recorded payment, or an earlier one of its list. */
export const recordedPaymentDraft = z.extend(paymentDraft, { allow_duplicate: z.optional(z.boolean()) });
export type RecordedPaymentDraft = z.output<typeof recordedPaymentDraft>;

export const declineDraft = z.strictObject({ reason: description.check(z.minLength(1)) });
export type DeclineDraft = z.output<typeof declineDraft>;

const pendingQuery = z.extend(pageQuery, { status: z.optional(z.enum(pendingPaymentStatuses)) });

export const paymentOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    createPayment: {
      method: "POST",
      effect: "pays",
      path: "/organization/payments",
      permission: "api.payments.write",
      summary:
        "Records a payment into the balance; one above the amount that is set, with what the same person recorded within 24 hours, waits for a second person. With allow_duplicate false, one that equals a recorded payment is refused. With an Idempotency-Key, a repeat within 24 hours returns the first entry.",
      body: recordedPaymentDraft,
      reply: z.union([ledgerEntry, pendingPayment]),
    },
    retrievePaymentApproval: {
      method: "GET",
      path: "/organization/payment_approval",
      permission: "api.ledger.read",
      summary: "Returns the amount above which a payment waits for a second person; null where none does.",
      reply: paymentApproval,
    },
    savePaymentApproval: {
      method: "POST",
      effect: "sets",
      path: "/organization/payment_approval",
      permission: "api.payment_approval.write",
      summary:
        "Sets the amount above which a payment waits for a second person, from the next payment on. A higher amount, or none, waits for a second person itself.",
      body: paymentApprovalDraft,
      reply: paymentApproval,
    },
    listPendingPayments: {
      method: "GET",
      path: "/organization/pending_payments",
      permission: "api.ledger.read",
      summary: "Lists the payments that wait or waited for a second person, newest first.",
      query: pendingQuery,
      reply: pageSchema(pendingPayment),
    },
    retrievePendingPayment: {
      method: "GET",
      path: "/organization/pending_payments/{pending_payment_id}",
      permission: "api.ledger.read",
      summary: "Returns one payment that waits or waited for a second person.",
      reply: pendingPayment,
    },
    approvePendingPayment: {
      method: "POST",
      effect: "acts",
      path: "/organization/pending_payments/{pending_payment_id}/approve",
      permission: "api.payments.write",
      summary:
        "Records a pending payment into the balance, or makes a pending change of the approval amount. A signed-in member approves, and never the one who recorded it, nor anybody who was let in within seven days.",
      reply: z.union([ledgerEntry, pendingPayment]),
    },
    declinePendingPayment: {
      method: "POST",
      effect: "acts",
      path: "/organization/pending_payments/{pending_payment_id}/decline",
      permission: "api.payments.write",
      summary: "Declines a pending payment, with a reason. Nothing is recorded in the ledger.",
      body: declineDraft,
      reply: pendingPayment,
    },
  },
);
