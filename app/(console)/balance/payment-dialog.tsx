"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { previewPaymentImport, recordPayment } from "@/components/money/payments/payment-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Money } from "@/components/ui/values/money";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import type { ProblemError } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { PaymentImportPreview } from "@/lib/contract/operations/money/payment-import";
import type { PaymentDraft, RecordedPaymentDraft } from "@/lib/contract/operations/money/payments";
import { paymentDraft } from "@/lib/contract/operations/money/payments";
import { calendarDay } from "@/lib/contract/schema";
import { parseAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import type { RecordedPayment } from "./balance-screen";

const fields = ["amount", "reference", "note", "paid_on"] as const;

/** A date field without a day is an empty text. */
const typedPayment = z.extend(paymentDraft, {
  paid_on: z.optional(z.union([z.literal(""), calendarDay])),
});
type TypedPayment = z.input<typeof typedPayment>;

type PaymentDialogProps = {
  /** The organization's; undefined if the gateway doesn't report it. */
  currency: string | undefined;
  close: () => void;
  onRecorded: (recorded: RecordedPayment) => void;
};

/** Records a payment that has arrived. */
export function PaymentDialog({ currency, close, onRecorded }: PaymentDialogProps) {
  const form = useNewForm(typedPayment, { amount: "", reference: "", note: "", paid_on: "" });
  const refuse = ({ problem }: ProblemError) => showProblem(form, fields, problem);
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
      labels={{ amount: "Amount", reference: "Reference", note: "Note", paid_on: "Paid on" }}
      onSubmit={({ amount, reference, note, paid_on }) =>
        usual !== null && !isAsked
          ? ask()
          : submit({
              amount,
              reference: reference || null,
              note: note || null,
              ...(paid_on && { paid_on }),
            })
      }
      title="Record payment"
      description="A received payment. Ledger entries can’t be changed or deleted."
      submit={duplicate ? "Record it as well" : isAsked ? "Record this amount" : "Record payment"}
      pending={record.isPending || isChecking}
      close={close}
    >
      <PaymentFields control={form.control} currency={currency} amount={typed} />
      {isAsked && usual !== null && <UnusualNotice amount={typed} usual={usual} currency={currency} />}
      {duplicate && <DuplicateNotice duplicate={duplicate} />}
    </FormDialog>
  );
}

type PaymentFieldsProps = {
  control: Control<TypedPayment>;
  currency: string | undefined;
  /** As it is typed. */
  amount: string;
};

function PaymentFields({ control, currency, amount }: PaymentFieldsProps) {
  return (
    <>
      <DecimalField
        control={control}
        name="amount"
        label="Amount"
        {...(currency && { unit: currency, currency })}
        help="As it was paid: 25.00, 1,234.50 or 1.234,50."
      />
      <BalanceAfter amount={amount} />
      <TextField
        control={control}
        name="reference"
        label="Reference"
        optional
        maxLength={200}
        help="The reference that finance will search for, such as “Invoice 2026-11”."
      />
      <TextField
        control={control}
        name="note"
        label="Note"
        optional
        maxLength={500}
        help="Additional details, such as who paid for what."
      />
      <TextField
        control={control}
        name="paid_on"
        type="date"
        label="Paid on"
        optional
        help="The day on the bank statement. It can be spent from now on, whatever the day."
      />
    </>
  );
}

/** Names the recorded payment that the typed one equals. */
function DuplicateNotice({ duplicate: { object, id, created_at } }: { duplicate: DuplicatePayment }) {
  const href = object === "ledger_entry" ? paths.ledgerEntry(id) : paths.payments();
  return (
    <Notice tone="near" role="alert" title="This payment seems to be recorded already">
      A payment with this amount and reference, or with this note if it has no reference, was recorded{" "}
      <RelativeTime at={created_at} withExact />.{" "}
      <TextLink href={href} target="_blank">
        View it
      </TextLink>
      . Record this one only if it arrived as well.
    </Notice>
  );
}

/** The payments that tell what is usual. */
const PAST = { kind: "payment", limit: "20" };

/** Whether a typed payment is far above the usual, and was asked about. Another amount is asked about anew. */
function useUnusualQuestion(amount: string) {
  const past = useRead("listLedger", PAST).data?.data ?? [];
  const [askedAmount, setAskedAmount] = useState<string | null>(null);
  const usual = findUsualPayment(
    amount,
    past.map((payment) => payment.amount),
  );
  return { usual, isAsked: usual !== null && askedAmount === amount, ask: () => setAskedAmount(amount) };
}

type UnusualNoticeProps = { amount: string; usual: string; currency: string | undefined };

/** Asks about a payment far above the usual. */
function UnusualNotice({ amount, usual, currency }: UnusualNoticeProps) {
  return (
    <Notice tone="near" role="alert" title="This payment is far above the usual">
      You are recording <Money amount={amount} currency={currency} />. A usual payment is{" "}
      <Money amount={usual} currency={currency} />. Compare it with the bank statement, then record it.
    </Notice>
  );
}

/** What is available once a typed payment is recorded. Nothing for people who can't see the balance. */
function BalanceAfter({ amount }: { amount: string }) {
  const balance = useRead("retrieveBalance").data;
  const paid = parseAmount(amount);
  if (!balance || paid === null) return null;
  const after = toNano(parseCheckedAmount(balance.available) + paid);
  return (
    <p role="status" className="-mt-3 text-sm text-muted">
      Available afterwards: <RoundedMoney amount={after} currency={balance.currency} />
    </p>
  );
}

type DuplicatePayment = NonNullable<PaymentImportPreview["payments"][number]["duplicate_of"]>;

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
function useDuplicateQuestion({ record, onError }: Recording) {
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

/** A payment of this many times the usual one is asked about. */
const FAR_ABOVE = 5n;
/** Fewer payments don't tell what is usual. */
const FEWEST = 3;

/**
 * Returns the usual payment, the median of the past ones, if an amount is larger than all of them and far above it;
 * null otherwise. A slip of the decimal point is ten times as much.
 */
export function findUsualPayment(amount: string, pastAmounts: readonly string[]): string | null {
  const typed = parseAmount(amount);
  const past = pastAmounts
    .flatMap((text) => {
      const nano = parseAmount(text);
      return nano === null ? [] : [{ text, nano }];
    })
    .toSorted((one, other) => (one.nano < other.nano ? -1 : 1));
  const usual = past[Math.floor((past.length - 1) / 2)];
  const largest = past.at(-1);
  if (typed === null || !usual || !largest || past.length < FEWEST) return null;
  return typed > largest.nano && typed >= usual.nano * FAR_ABOVE ? usual.text : null;
}
