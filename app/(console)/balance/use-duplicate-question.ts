"use client";

import { useCallback, useRef, useState } from "react";
import { previewPaymentImport } from "@/components/money/payments/payment-actions";
import { useAction } from "@/components/queries/actions/use-action";
import type { ProblemError } from "@/lib/console/gateway/problem";
import type { PaymentImportPreview } from "@/lib/contract/operations/money/payment-import";
import type { PaymentDraft, RecordedPaymentDraft } from "@/lib/contract/operations/money/payments";

export type DuplicatePayment = NonNullable<PaymentImportPreview["payments"][number]["duplicate_of"]>;

type Refused = (error: ProblemError) => void;
type Recording = {
  record: (payment: RecordedPaymentDraft, callbacks: { onError: Refused }) => void;
  onError: Refused;
};

/**
 * Asks before a payment is recorded that equals a recorded one: a reload restores the form of a payment whose reply was
 * lost, and two people may record the same one. A payment that was sent from this form is sent again without a
 * question, since its idempotency key records it once.
 */
export function useDuplicateQuestion({ record, onError }: Recording) {
  const [question, setQuestion] = useState<{ payment: string; duplicate: DuplicatePayment } | null>(null);
  const sent = useRef<{ payment: string; isMeant: boolean } | null>(null);
  const preview = useAction(previewPaymentImport, { onError });
  const clear = useCallback(() => setQuestion(null), []);
  const ask = (payment: PaymentDraft, ifNew: () => void) =>
    preview.mutate(
      { payments: [payment] },
      {
        onSuccess: ({ payments: [found] }) => {
          const duplicate = found?.duplicate_of;
          if (duplicate) setQuestion({ payment: JSON.stringify(payment), duplicate });
          else ifNew();
        },
      },
    );
  const send = (payment: PaymentDraft, { isMeant }: { isMeant: boolean }) => {
    sent.current = { payment: JSON.stringify(payment), isMeant };
    // It may have been recorded elsewhere since it was asked about.
    const refuse: Refused = (error) =>
      error.problem.code === "conflict" && !isMeant ? ask(payment, () => onError(error)) : onError(error);
    record({ ...payment, allow_duplicate: isMeant }, { onError: refuse });
  };
  return {
    /** The recorded payment that is asked about; null if no question is open. */
    duplicate: question?.duplicate ?? null,
    isChecking: preview.isPending,
    /** Forgets the question, since the payment has been changed. */
    clear,
    submit: (payment: PaymentDraft) => {
      const written = JSON.stringify(payment);
      if (written === question?.payment) send(payment, { isMeant: true });
      else if (written === sent.current?.payment) send(payment, sent.current);
      else ask(payment, () => send(payment, { isMeant: false }));
    },
  };
}
