"use client";

import { declinePayment } from "@/components/money/payments/payment-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { capitalize } from "@/components/ui/text/capitalize";
import { declineDraft } from "@/lib/contract/operations/money/payments";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";
import { describePayment } from "./describe-payment";

/** Declines a pending payment with a reason. */
export function DeclineDialog({ payment, close }: { payment: PendingPayment; close: () => void }) {
  const form = useNewForm(declineDraft, { reason: "" });
  const decline = useAction(declinePayment, {
    refetch: ["listPendingPayments"],
    onSuccess: () => {
      toast({ message: capitalize(`${describePayment(payment)} declined`) });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["reason"], problem),
  });
  return (
    <FormDialog
      form={form}
      name={`decline-payment-${payment.id}`}
      what="the reason"
      labels={{ reason: "Reason" }}
      title={`Decline the ${describePayment(payment)}?`}
      description="Nothing is recorded in the ledger. This can’t be undone, but it can be recorded again."
      submit={payment.corrects ? "Decline correction" : "Decline payment"}
      danger
      pending={decline.isPending}
      close={close}
      onSubmit={({ reason }) => decline.mutate({ id: payment.id, reason })}
    >
      <TextField
        control={form.control}
        name="reason"
        label="Reason"
        maxLength={500}
        help="Shown to the person who recorded it, such as “Not on the statement”."
      />
    </FormDialog>
  );
}
