"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { importPayments, previewPaymentImport } from "@/components/money/payments/payment-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useCreate } from "@/components/queries/actions/use-create";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { PaymentImport } from "@/lib/contract/operations/money/payment-import";
import { type ParsedPayment, type PaymentColumn, type PaymentMap, parsePayments } from "./parse-payments";
import { planImport } from "./plan-import";

export const MAX_BYTES = 1024 * 1024;
const tooLong = `is longer than ${formatBytes(MAX_BYTES)}. Paste a part of it, beginning with the line that names the columns`;
const importForm = z.strictObject({
  csv: z.string().check(z.minLength(1), z.maxLength(MAX_BYTES, tooLong)),
});

/** The only conflict: payments that changed have another idempotency key. */
const MEANWHILE =
  "Nothing was recorded: one of these payments was recorded meanwhile. The plan below shows which.";

/** The CSV that is typed, what it means, the plan of recording it, and the last import. */
export function useImport(currency: string) {
  const queryClient = useQueryClient();
  const form = useNewForm(importForm, { csv: "" });
  const csv = useWatch({ control: form.control, name: "csv" });
  const [chosen, setChosen] = useState<Partial<PaymentMap>>({});
  const [allowedLines, setAllowedLines] = useState<ReadonlySet<number>>(new Set());
  const [made, setMade] = useState<PaymentImport | null>(null);
  const recordedCsv = useRef("");
  const file = useMemo(
    () => parsePayments(csv.length > MAX_BYTES ? "" : csv, chosen, currency),
    [csv, chosen, currency],
  );
  const isReadable = file.faults.length === 0;
  const { preview, isCurrent } = useImportPreview(isReadable ? file.rows : []);
  const plan =
    isReadable && isCurrent && preview.data && planImport(file.rows, preview.data.payments, allowedLines);

  const enter = (text: string) => {
    form.setValue("csv", text, { shouldDirty: true, shouldValidate: text !== "" });
    if (text === "") form.clearErrors("csv");
    setChosen({});
    setAllowedLines(new Set());
    setMade(null);
  };
  const recording = useCreate(importPayments, {
    refetch: ["retrieveBalance", "listLedger", "listPendingPayments"],
    onSuccess: (done) => {
      setMade(done);
      // What was pasted meanwhile is the next import.
      if (form.getValues("csv") !== recordedCsv.current) return;
      form.reset({ csv: "" });
      setChosen({});
      setAllowedLines(new Set());
    },
    onError: ({ problem }) => {
      showProblem(form, [], problem.code === "conflict" ? { ...problem, message: MEANWHILE } : problem);
      void queryClient.invalidateQueries({ queryKey: [IMPORT_PREVIEW] });
    },
  });
  const record = () => {
    if (!plan) return;
    const kept = plan.rows.filter(({ step }) => step !== "leave out");
    if (kept.length === 0) return;
    const payments = kept.map(({ payment }) => ({
      ...toPaymentDraft(payment),
      allow_duplicate: allowedLines.has(payment.line),
    }));
    recordedCsv.current = csv;
    recording.mutate({ payments });
  };
  return {
    form,
    csv,
    enter,
    file,
    choose: (column: PaymentColumn, index: number | null) => setChosen({ ...chosen, [column]: index }),
    allowDuplicates: (lines: readonly number[], isAllowed: boolean) => {
      const others = [...allowedLines].filter((line) => !lines.includes(line));
      setAllowedLines(new Set(isAllowed ? [...others, ...lines] : others));
    },
    preview,
    plan: plan || null,
    record,
    isRecording: recording.isPending,
    made,
  };
}

/** Delay after the last keystroke. */
const SETTLED_MS = 300;

const IMPORT_PREVIEW = "payment-import-preview";

/** What recording the payments would do, by the gateway. Asks nothing while there is none. */
function useImportPreview(payments: readonly ParsedPayment[]) {
  const asked = JSON.stringify(payments.map(toPaymentDraft));
  const settled = useDebounced(asked, SETTLED_MS);
  const preview = useActionQuery({
    queryKey: [IMPORT_PREVIEW, settled],
    ask: () => previewPaymentImport({ payments: JSON.parse(settled) }),
    enabled: settled !== "[]",
    gcTime: 0,
  });
  const isSettled = asked === settled;
  return { preview, isCurrent: isSettled && !preview.isFetching };
}

function toPaymentDraft({ written, reference, note, paidOn }: ParsedPayment) {
  return { amount: written, reference, note, ...(paidOn && { paid_on: paidOn }) };
}
