"use server";

import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { defineAction, defineCreateAction } from "@/lib/console/actions/define-action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import {
  paymentImportDraft,
  paymentImportPreviewDraft,
} from "@/lib/contract/operations/money/payment-import";
import {
  declineDraft,
  paymentApprovalDraft,
  recordedPaymentDraft,
} from "@/lib/contract/operations/money/payments";

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

/** The gateway refuses it in its transaction if it equals another one and `allow_duplicate` is false. */
export const recordPayment = defineCreateAction(recordedPaymentDraft, (body, headers) =>
  callGateway("createPayment", { body, headers }),
);

/** Records all payments or none. The same payments sent again from the same form are recorded once. */
export const importPayments = defineCreateAction(paymentImportDraft, (body, headers) => {
  // Part of the key, so that payments which the person has changed since a lost reply aren't refused.
  const hash = createHash("sha256")
    .update(JSON.stringify([headers["idempotency-key"], body]))
    .digest("hex");
  return callGateway("importPayments", { body, headers: { "idempotency-key": hash } });
});

/** Returns what an import would do. Records nothing. */
export const previewPaymentImport = defineAction(paymentImportPreviewDraft, (body) =>
  callGateway("previewPaymentImport", { body }),
);
