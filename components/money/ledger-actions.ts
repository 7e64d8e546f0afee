"use server";

import { defineAction } from "@/lib/console/actions/define-action";
import { callGateway } from "@/lib/console/gateway/gateway-client";
import { paymentImportPreviewDraft } from "@/lib/contract/operations/money/payment-import";

/** Returns what an import would do. Records nothing. */
export const previewPaymentImport = defineAction(paymentImportPreviewDraft, (body) =>
  callGateway("previewPaymentImport", { body }),
);
