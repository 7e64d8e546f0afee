"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { useRead } from "@/app/queries/use-read";
import { DecimalField } from "@/components/form/decimal-field";
import { Form } from "@/components/form/form";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { Dialog } from "@/components/ui/dialog";
import { type LedgerEntry, type PaymentDraft, paymentDraft } from "@/lib/contract/operations/balance";
import { recordPayment } from "./actions";

type PaymentDialogProps = { close: () => void; onRecorded: (entry: LedgerEntry) => void };

/** Records money that has come in. */
export function PaymentDialog({ close, onRecorded }: PaymentDialogProps) {
  const currency = useRead("retrieveBalance").data?.currency;
  const form = useForm<PaymentDraft>({
    mode: "onTouched",
    resolver: standardSchemaResolver(paymentDraft),
    defaultValues: { amount: "", reference: "" },
  });
  const record = useCreate(recordPayment, {
    changes: ["retrieveBalance", "listLedger"],
    onSuccess: onRecorded,
    onError: ({ problem }) => showProblem(form, ["amount", "reference"], problem),
  });
  return (
    <Dialog
      open
      onClose={close}
      title="Record payment"
      description="Money that has arrived. A ledger entry can’t be changed or deleted."
    >
      <Form
        form={form}
        name="new-payment"
        what="the payment"
        labels={{ amount: "Amount", reference: "Reference" }}
        className="grid gap-5"
        onSubmit={({ amount, reference }) => record.mutate({ amount, reference: reference || null })}
      >
        <DecimalField
          control={form.control}
          name="amount"
          label="Amount"
          apiName="amount"
          {...(currency && { unit: currency })}
          help="Such as 25.00; at most nine decimals."
        />
        <TextField
          control={form.control}
          name="reference"
          label="Reference"
          apiName="reference"
          optional
          maxLength={200}
          help="What finance will look for, such as “Invoice 2026-11”."
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={record.isPending}>
            Record payment
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
