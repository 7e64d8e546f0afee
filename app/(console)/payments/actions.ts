"use server";

import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paymentImportDraft } from "@/lib/contract/operations/money/payment-import";
import { declineDraft, paymentApprovalDraft } from "@/lib/contract/operations/money/payments";

const paymentInput = z.strictObject({ id: z.string() });

export const savePaymentApproval = defineAction(
  z.strictObject({ approval: paymentApprovalDraft, version: knownVersion }),
  ({ approval: body, version }) => callGateway("savePaymentApproval", { body, headers: ifMatch(version) }),
);

export const approvePayment = defineAction(paymentInput, ({ id }) =>
  callGateway("approvePendingPayment", { params: { pending_payment_id: id } }),
);

export const declinePayment = defineAction(
  z.extend(paymentInput, { reason: declineDraft.shape.reason }),
  ({ id, reason }) =>
    callGateway("declinePendingPayment", { params: { pending_payment_id: id }, body: { reason } }),
);

/** Records all payments or none. The same payments sent again from the same form are recorded once. */
export const importPayments = defineCreateAction(paymentImportDraft, (body, headers) => {
  // Part of the key, so that payments which the person has changed since a lost reply aren't refused.
  const hash = createHash("sha256")
    .update(JSON.stringify([headers["idempotency-key"], body]))
    .digest("hex");
  return callGateway("importPayments", { body, headers: { "idempotency-key": hash } });
});
