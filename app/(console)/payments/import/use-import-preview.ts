"use client";

import { useQuery } from "@tanstack/react-query";
import { previewPaymentImport } from "@/app/ledger/actions";
import { useDebounced } from "@/components/browser/use-debounced";
import { ProblemError } from "@/lib/console/gateway/problem";
import type { PaymentImportPreview } from "@/lib/contract/operations/money/payment-import";
import type { ReadPayment } from "./read-payments";

/** Delay after the last keystroke. */
const SETTLED_MS = 300;

export const IMPORT_PREVIEW = "payment-import-preview";

/** What recording the payments would do, by the gateway. Asks nothing while there is none. */
export function useImportPreview(payments: readonly ReadPayment[]) {
  const asked = JSON.stringify(payments.map(toPaymentDraft));
  const settled = useDebounced(asked, SETTLED_MS);
  const preview = useQuery({
    queryKey: [IMPORT_PREVIEW, settled],
    queryFn: () => fetchPreview(settled),
    enabled: settled !== "[]",
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const isSettled = asked === settled;
  return { preview, isCurrent: isSettled && !preview.isFetching };
}

export function toPaymentDraft({ written, reference, note }: ReadPayment) {
  return { amount: written, reference, note };
}

async function fetchPreview(payments: string): Promise<PaymentImportPreview> {
  const reply = await previewPaymentImport({ payments: JSON.parse(payments) });
  if (!reply.ok) throw new ProblemError(reply);
  return reply.data;
}
