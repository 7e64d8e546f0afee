"use client";

import { previewPaymentImport } from "@/components/money/payments/payment-actions";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import type { ParsedPayment } from "./parse-payments";

/** Delay after the last keystroke. */
const SETTLED_MS = 300;

export const IMPORT_PREVIEW = "payment-import-preview";

/** What recording the payments would do, by the gateway. Asks nothing while there is none. */
export function useImportPreview(payments: readonly ParsedPayment[]) {
  const asked = JSON.stringify(payments.map(toPaymentDraft));
  const settled = useDebounced(asked, SETTLED_MS);
  const preview = useActionQuery({
    queryKey: [IMPORT_PREVIEW, settled],
    ask: () => previewPaymentImport({ payments: JSON.parse(settled) }),
    enabled: settled !== "[]",
    gcTime: 0,
  });
  const isSettled = asked === settled;
  return { preview, isCurrent: isSettled && !preview.isFetching };
}

export function toPaymentDraft({ written, reference, note }: ParsedPayment) {
  return { amount: written, reference, note };
}
