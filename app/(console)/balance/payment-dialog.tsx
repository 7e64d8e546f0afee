"use client";

import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { useRead } from "@/app/queries/use-read";
import { DecimalField } from "@/components/form/decimal-field";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/form/text-field";
import { useNewForm } from "@/components/form/use-schema-form";
import { type LedgerEntry, paymentDraft } from "@/lib/contract/operations/balance";
import type { PendingPaymentObject } from "@/lib/contract/operations/pending-payment";
import { recordPayment } from "./actions";

type PaymentDialogProps = {
  close: () => void;
  onRecorded: (recorded: LedgerEntry | PendingPaymentObject) => void;
};

/** Records a payment that has arrived. */
export function PaymentDialog({ close, onRecorded }: PaymentDialogProps) {
  const currency = useRead("retrieveBalance").data?.currency;
  const form = useNewForm(paymentDraft, { amount: "", reference: "", note: "" });
  const record = useCreate(recordPayment, {
    changes: ["retrieveBalance", "listLedger", "listPendingPayments"],
    onSuccess: onRecorded,
    onError: ({ problem }) => showProblem(form, ["amount", "reference", "note"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-payment"
      what="the payment"
      labels={{ amount: "Amount", reference: "Reference", note: "Note" }}
      onSubmit={({ amount, reference, note }) =>
        record.mutate({ amount, reference: reference || null, note: note || null })
      }
      title="Record payment"
      description="A received payment. Ledger entries can’t be changed or deleted."
      submit="Record payment"
      pending={record.isPending}
      close={close}
    >
      <DecimalField
        control={form.control}
        name="amount"
        label="Amount"
        {...(currency && { unit: currency, currency })}
        help="As it was paid: 25.00, 1,234.50 or 1.234,50."
      />
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
    </FormDialog>
  );
}
