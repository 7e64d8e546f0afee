"use server";

import * as z from "zod/mini";
import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { receiptLinkDraft } from "@/lib/contract/operations/calls/receipt-links";

export const shareReceipt = defineAction(
  z.strictObject({ requestId: z.string(), days: receiptLinkDraft.shape.days }),
  ({ requestId, days }) =>
    callGateway("createReceiptLink", { params: { request_id: requestId }, body: { days } }),
);

export const revokeLink = defineAction(
  z.strictObject({ requestId: z.string(), linkId: z.string() }),
  ({ requestId, linkId }) =>
    callGateway("revokeReceiptLink", { params: { request_id: requestId, receipt_link_id: linkId } }),
);

/**
 * Reads a call's request and answer. An action and not a read: each time is audited, so it must never be refetched
 * automatically.
 */
export const readRequestBody = defineAction(z.strictObject({ requestId: z.string() }), ({ requestId }) =>
  callGateway("retrieveRequestBody", { params: { request_id: requestId } }),
);
