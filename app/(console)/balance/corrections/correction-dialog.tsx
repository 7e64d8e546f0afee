"use client";

import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { ArithmeticLine } from "@/components/money/charge-arithmetic";
import { entryKinds } from "@/components/money/ledger-entry-columns";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { Money } from "@/components/ui/values/money";
import { type Balance, correctionDraft, type LedgerEntry } from "@/lib/contract/operations/money/balance";
import { positiveDecimal } from "@/lib/contract/schema";
import { isZeroDecimal } from "@/lib/money/amount";
import { correctEntry } from "../actions";
import { computeCorrectionEffect, computeRemainder } from "./entry-corrections";

const form = z.strictObject({ amount: positiveDecimal, reason: correctionDraft.shape.reason });
const changed = [
  "retrieveBalance",
  "listLedger",
  "retrieveLedgerEntry",
  "listPendingPayments",
  "listStatements",
  "retrieveStatement",
] as const;

/** Corrects a payment or a charge, wholly or in part. The initial amount is all that hasn't been corrected yet. */
export function CorrectionDialog({ entry, close }: { entry: LedgerEntry; close: () => void }) {
  const balance = useRead("retrieveBalance").data;
  const fields = useNewForm(form, { amount: computeRemainder(entry) ?? "", reason: "" });
  const typed = useWatch({ control: fields.control, name: "amount" });
  const correct = useCreate(correctEntry, {
    refetch: changed,
    onSuccess: (recorded) => {
      const isPending = recorded.object === "pending_payment";
      toast({
        message: isPending ? "The correction waits for approval under Payments" : "Correction recorded",
      });
      close();
    },
    onError: ({ problem }) => showProblem(fields, ["amount", "reason"], problem),
  });
  const { id, kind, currency } = entry;
  return (
    <FormDialog
      form={fields}
      name={`correct-${id}`}
      what="the correction"
      labels={{ amount: "Amount", reason: "Reason" }}
      onSubmit={(draft) => correct.mutate({ entry_id: id, ...draft })}
      title={`Correct this ${entryKinds[kind].toLowerCase()}`}
      description="A new entry in this month reverses all or part of it. The entry itself doesn’t change."
      submit="Record correction"
      pending={correct.isPending}
      close={close}
    >
      <DecimalField
        control={fields.control}
        name="amount"
        label="Amount"
        unit={currency}
        currency={currency}
        help="How much to reverse, at most the rest of the entry."
      />
      <TextField
        control={fields.control}
        name="reason"
        label="Reason"
        maxLength={500}
        help="Shown in the ledger, on the statement and in the audit log, such as “Recorded twice”."
      />
      <CorrectionPreview entry={entry} typed={typed} balance={balance} />
    </FormDialog>
  );
}

type PreviewProps = { entry: LedgerEntry; typed: string; balance: Balance | undefined };

/** Shows the corrected amount, what remains of the entry, and the balance before and after. */
function CorrectionPreview({ entry, typed, balance }: PreviewProps) {
  const effect = computeCorrectionEffect(entry, typed, balance?.available);
  const { kind, amount, corrected, currency } = entry;
  const isCorrected = !isZeroDecimal(corrected ?? "0");
  const falls = effect?.after?.startsWith("-") === true;
  return (
    <table
      aria-live="polite"
      className="w-full border-y text-sm [&_td]:py-1.5 [&_td]:text-right [&_th]:py-1.5 [&_th]:pr-4 [&_th]:text-left [&_th]:font-normal"
    >
      <caption className="sr-only">What this correction does, in {currency}</caption>
      <tbody>
        <ArithmeticLine name={entryKinds[kind]}>
          <Money amount={amount} />
        </ArithmeticLine>
        {isCorrected && (
          <ArithmeticLine name="Corrected before">
            <Money amount={`-${corrected}`} />
          </ArithmeticLine>
        )}
        <ArithmeticLine name="This correction">
          {effect ? <Money amount={`-${typed}`} /> : "…"}
        </ArithmeticLine>
        <ArithmeticLine name="Left of the entry">
          {effect ? <Money amount={effect.left} currency={currency} /> : "…"}
        </ArithmeticLine>
        {balance && (
          <tr className="border-t">
            <th scope="row" className="text-muted">
              Available before and after
            </th>
            <td>
              <Money amount={balance.available} /> <span aria-hidden>→</span>{" "}
              <span className="sr-only">to</span>{" "}
              {effect?.after ? <Money amount={effect.after} currency={currency} /> : "…"}
            </td>
          </tr>
        )}
      </tbody>
      {falls && (
        <tfoot>
          <tr>
            <td colSpan={2} className="text-left! text-danger">
              The available balance is less than this correction. Correct a smaller part, or record a payment
              first.
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
