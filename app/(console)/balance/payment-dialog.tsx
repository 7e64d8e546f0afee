"use client";

import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import { DuplicateNotice } from "@/app/(console)/balance/duplicate-notice";
import type { RecordedPayment } from "@/app/(console)/balance/recorded-notice";
import { BalanceAfter, UnusualNotice, useUnusualQuestion } from "@/app/(console)/balance/unusual-notice";
import { useDuplicateQuestion } from "@/app/(console)/balance/use-duplicate-question";
import { recordPayment } from "@/components/money/payments/payment-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { paymentDraft } from "@/lib/contract/operations/money/payments";

type PaymentDialogProps = {
  /** The organization's; undefined if the gateway doesn't report it. */
  currency: string | undefined;
  close: () => void;
  onRecorded: (recorded: RecordedPayment) => void;
};

/** Records a payment that has arrived. */
export function PaymentDialog({ currency, close, onRecorded }: PaymentDialogProps) {
  const form = useNewForm(paymentDraft, { amount: "", reference: "", note: "" });
  const refuse = ({ problem }: ProblemError) => showProblem(form, ["amount", "reference", "note"], problem);
  const record = useCreate(recordPayment, {
    refetch: ["retrieveBalance", "listLedger", "listPendingPayments"],
    onSuccess: onRecorded,
  });
  const { duplicate, isChecking, clear, submit } = useDuplicateQuestion({
    record: record.mutate,
    onError: refuse,
  });
  const typed = useWatch({ control: form.control, name: "amount" });
  const { usual, isAsked, ask } = useUnusualQuestion(typed);
  useEffect(() => {
    const watching = form.watch((_values, { type }) => type === "change" && clear());
    return () => watching.unsubscribe();
  }, [form, clear]);
  return (
    <FormDialog
      form={form}
      name="new-payment"
      what="the payment"
      labels={{ amount: "Amount", reference: "Reference", note: "Note" }}
      onSubmit={({ amount, reference, note }) =>
        usual !== null && !isAsked
          ? ask()
          : submit({ amount, reference: reference || null, note: note || null })
      }
      title="Record payment"
      description="A received payment. Ledger entries can’t be changed or deleted."
      submit={duplicate ? "Record it as well" : isAsked ? "Record this amount" : "Record payment"}
      pending={record.isPending || isChecking}
      close={close}
    >
      <DecimalField
        control={form.control}
        name="amount"
        label="Amount"
        {...(currency && { unit: currency, currency })}
        help="As it was paid: 25.00, 1,234.50 or 1.234,50."
      />
      <BalanceAfter amount={typed} />
      <TextField
        control={form.control}
        name="reference"
        label="Reference"
        optional
        maxLength={200}
        help="The reference that finance will search for, such as “Invoice 2026-11”."
      />
      <TextField
        control={form.control}
        name="note"
        label="Note"
        optional
        maxLength={500}
        help="Additional details, such as who paid for what."
      />
      {isAsked && usual !== null && <UnusualNotice amount={typed} usual={usual} currency={currency} />}
      {duplicate && <DuplicateNotice duplicate={duplicate} />}
    </FormDialog>
  );
}
