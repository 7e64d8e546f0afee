"use client";

import { useState } from "react";
import { approvePayment } from "@/components/money/payments/payment-actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { capitalize } from "@/components/ui/text/capitalize";
import { DateTime } from "@/components/ui/time/date-time";
import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { describePayment } from "./describe-payment";

const DeclineDialog = loadOnClient(() => import("./decline-dialog").then((file) => file.DeclineDialog));

type DecidePaymentProps = { payment: PendingPayment };

/** Approves or declines a pending payment. Whoever is not known to be a second person reads why, and may decline it. */
export function DecidePayment({ payment }: DecidePaymentProps) {
  const [isDeclining, setIsDeclining] = useState(false);
  const refusal = payment.approval_refusal;
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 py-1">
      {refusal && (
        <span className="max-w-prose text-sm whitespace-normal text-muted">
          {refusal.message}
          {refusal.until && (
            <>
              {" "}
              You can from <DateTime at={refusal.until} /> on.
            </>
          )}
        </span>
      )}
      {!refusal && (
        <ConfirmedAction
          renderButton={(ask) => (
            <Button size="small" onClick={ask}>
              Approve
            </Button>
          )}
          title={`Approve the ${describePayment(payment)}?`}
          confirmLabel={confirmLabel(payment)}
          danger={false}
          action={approvePayment}
          input={{ id: payment.id }}
          refetch={[
            "listPendingPayments",
            "retrievePaymentApproval",
            "retrieveBalance",
            "listLedger",
            "retrieveLedgerEntry",
          ]}
          done={() => capitalize(`${describePayment(payment)} approved`)}
        >
          {describeEffect(payment)}
        </ConfirmedAction>
      )}
      <Button size="small" onClick={() => setIsDeclining(true)}>
        Decline
      </Button>
      {isDeclining && <DeclineDialog payment={payment} close={() => setIsDeclining(false)} />}
    </span>
  );
}

function confirmLabel({ corrects, sets_approval }: PendingPayment): string {
  if (sets_approval) return "Approve change";
  return corrects ? "Approve correction" : "Approve payment";
}

function describeEffect(payment: PendingPayment): string {
  const { corrects, correction_reason, reference, recorded_by, sets_approval, currency } = payment;
  if (sets_approval)
    return sets_approval.above === null
      ? `Asked for by ${recorded_by.name}. From then on no payment needs approval.`
      : `Asked for by ${recorded_by.name}. From then on payments up to ${groupDigits(trimDecimal(sets_approval.above))} ${currency} need no approval.`;
  return corrects
    ? `“${correction_reason}”, recorded by ${recorded_by.name}. It changes the balance immediately, and a correction can’t be corrected.`
    : `${reference ? `“${reference}”, ` : ""}recorded by ${recorded_by.name}. It can be spent immediately, and a ledger entry can’t be changed or deleted.`;
}
