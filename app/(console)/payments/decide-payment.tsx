"use client";

import { useState } from "react";
import { ConfirmedAction } from "@/app/queries/actions/confirmed-action";
import { loadOnClient } from "@/components/dialog/load-on-client";
import { capitalize } from "@/components/text/capitalize";
import { Button } from "@/components/ui/button";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { approvePayment } from "./actions";
import { describePayment } from "./describe-payment";

const DeclineDialog = loadOnClient(() => import("./decline-dialog").then((file) => file.DeclineDialog));

type DecidePaymentProps = { payment: PendingPayment; userId: string | null };

/** Approves or declines a pending payment. The person who recorded it may only decline it; a note explains that. */
export function DecidePayment({ payment, userId }: DecidePaymentProps) {
  const [isDeclining, setIsDeclining] = useState(false);
  const isOwn = payment.recorded_by.id === userId;
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 py-1">
      {isOwn && <span className="text-sm text-muted">Another member approves it</span>}
      {userId === null && <span className="text-sm text-muted">Sign in as a member to approve</span>}
      {!isOwn && userId !== null && (
        <ConfirmedAction
          renderButton={(ask) => (
            <Button size="small" onClick={ask}>
              Approve
            </Button>
          )}
          title={`Approve the ${describePayment(payment)}?`}
          confirmLabel={payment.corrects ? "Approve correction" : "Approve payment"}
          danger={false}
          action={approvePayment}
          input={{ id: payment.id }}
          refetch={["listPendingPayments", "retrieveBalance", "listLedger", "retrieveLedgerEntry"]}
          done={() => capitalize(`${describePayment(payment)} approved`)}
        >
          {payment.corrects
            ? `“${payment.correction_reason}”, recorded by ${payment.recorded_by.name}. It changes the balance immediately, and a correction can’t be corrected.`
            : `${payment.reference ? `“${payment.reference}”, ` : ""}recorded by ${payment.recorded_by.name}. It can be spent immediately, and a ledger entry can’t be changed or deleted.`}
        </ConfirmedAction>
      )}
      <Button size="small" onClick={() => setIsDeclining(true)}>
        Decline
      </Button>
      {isDeclining && <DeclineDialog payment={payment} close={() => setIsDeclining(false)} />}
    </span>
  );
}
