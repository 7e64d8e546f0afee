"use server";

import * as z from "zod/mini";
import { action } from "@/lib/console/actions/action";
import { ifMatch, knownVersion } from "@/lib/console/actions/if-match";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { declineDraft, paymentApprovalDraft } from "@/lib/contract/operations/payments";

const named = z.strictObject({ id: z.string() });

export const savePaymentApproval = action(
  z.strictObject({ approval: paymentApprovalDraft, version: knownVersion }),
  ({ approval: body, version }) => callGateway("savePaymentApproval", { body, headers: ifMatch(version) }),
);

export const approvePayment = action(named, ({ id }) =>
  callGateway("approvePendingPayment", { params: { pending_payment_id: id } }),
);

export const declinePayment = action(
  z.extend(named, { reason: declineDraft.shape.reason }),
  ({ id, reason }) =>
    callGateway("declinePendingPayment", { params: { pending_payment_id: id }, body: { reason } }),
);
