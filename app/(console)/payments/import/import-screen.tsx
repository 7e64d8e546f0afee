"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useMemo, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { importPayments, previewPaymentImport } from "@/components/money/payments/payment-actions";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useActionQuery } from "@/components/queries/actions/use-action-query";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { useDebounced } from "@/components/ui/browser/use-debounced";
import { useLateModule } from "@/components/ui/browser/use-late-module";
import { Button } from "@/components/ui/button";
import { type CsvColumn, CsvColumns, CsvField } from "@/components/ui/csv/csv-field";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateNewForm } from "@/components/ui/form/late-schema";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { MAX_IMPORTED_PAYMENTS } from "@/lib/contract/bounds";
import type { PaymentImport } from "@/lib/contract/operations/money/payment-import";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import type { PaymentFault, PaymentMap } from "./parse-payments";
import {
  countPayments,
  MAX_BYTES,
  type ParsedPayment,
  type PaymentColumn,
  planImport,
  TEMPLATE,
} from "./plan-import";

const loadParser = () => import("./parse-payments");
const loadPlan = () => import("./import-plan-view").then((file) => file.ImportPlanView);
const planSkeleton = <TableSkeleton rows={6} columns={4} />;
const ImportPlanView = dynamic(loadPlan, { loading: () => planSkeleton });

const columns: readonly CsvColumn<PaymentColumn>[] = [
  { name: "amount", label: "Amount", none: "Choose a column" },
  { name: "reference", label: "Reference", none: "No reference" },
  { name: "note", label: "Note", none: "No note" },
  { name: "paid_on", label: "Paid on", none: "No date" },
];

/** Reads payments from a CSV, shows what each row means, and records all of them at once. */
export function ImportScreen({ currency }: { currency: string | undefined }) {
  return currency === undefined ? <ImportInCurrencyOfBalance /> : <Import currency={currency} />;
}

/** Imports where the gateway doesn't say who is signed in, and so in which currency. */
function ImportInCurrencyOfBalance() {
  const balance = useRead("retrieveBalance");
  return (
    <ReadState read={balance} to="import payments" skeleton={<TableSkeleton rows={3} columns={3} />}>
      {({ currency }) => <Import currency={currency} />}
    </ReadState>
  );
}

function Import({ currency }: { currency: string }) {
  const { form, csv, enter, made, record, ...rest } = useImport(currency);
  return (
    <Form
      form={form}
      name="payment-import"
      what="the import"
      labels={{ csv: "Payments as CSV" }}
      className="grid gap-8"
      onSubmit={record}
    >
      {made && <ImportNotice made={made} />}
      <CsvField
        label="Payments as CSV"
        help={`The first line names the columns, and each line below it is a payment: at most ${formatCount(MAX_IMPORTED_PAYMENTS)} in one import. Amounts are in ${currency}, as they were paid: 25.00, 1,234.50 or 1.234,50.`}
        placeholder={"amount,reference,note,paid_on\n25.00,Invoice 2026-11,Paid by Acme,2026-11-30"}
        maxBytes={MAX_BYTES}
        tooLarge={`One import records at most ${formatCount(MAX_IMPORTED_PAYMENTS)} payments: split the file, and begin each part with the line that names the columns`}
        text={csv}
        onChange={enter}
        error={form.formState.errors.csv?.message}
        actions={
          <Button onClick={() => downloadFile("payments.csv", "text/csv", TEMPLATE)}>
            <Download aria-hidden />
            Download template
          </Button>
        }
      />
      {csv.trim() !== "" && csv.length <= MAX_BYTES && <Read {...rest} currency={currency} />}
    </Form>
  );
}

type ReadProps = Omit<ReturnType<typeof useImport>, "form" | "csv" | "enter" | "made" | "record"> & {
  currency: string;
};

/** How the file was read: its columns, then its faults or the plan. */
function Read({ file, ...rest }: ReadProps) {
  return file === null ? planSkeleton : <ReadFile {...rest} file={file} />;
}

type ReadFileProps = ReadProps & { file: NonNullable<ReadProps["file"]> };

function ReadFile({ file, choose, preview, plan, allowDuplicates, isRecording, currency }: ReadFileProps) {
  const { head, map, faults, rows, tooMany } = file;
  const used = Object.values(map);
  // Together with the preview, which the plan waits for.
  useEffect(() => void loadPlan(), []);
  return (
    <>
      {head.length > 0 && <CsvColumns columns={columns} head={head} map={map} onChange={choose} />}
      {tooMany !== null ? (
        <TooManyPayments count={tooMany} />
      ) : faults.length > 0 ? (
        <ImportFaults faults={faults} />
      ) : map.amount === null ? (
        <Notice tone="near">
          Choose the column of the amounts. If the file has no line that names its columns, add one: amount,
          reference, note.
        </Notice>
      ) : rows.length === 0 ? (
        <Notice tone="near" title="The file has no payments yet">
          The first line names the columns; each line below it is a payment.
        </Notice>
      ) : plan ? (
        <ImportPlanView
          plan={plan}
          currency={currency}
          unread={head.filter((title, index) => title !== "" && !used.includes(index))}
          isRecording={isRecording}
          onAllow={allowDuplicates}
        />
      ) : preview.error ? (
        <Notice tone="bad" role="alert" title="These payments can’t be imported">
          {preview.error.message}
        </Notice>
      ) : (
        planSkeleton
      )}
    </>
  );
}

const MAX_LISTED = 20;

/** What has to be mended in the file before anything can be recorded. */
function ImportFaults({ faults }: { faults: readonly PaymentFault[] }) {
  const rest = faults.length - MAX_LISTED;
  return (
    <Notice
      tone="bad"
      role="status"
      title={`Nothing can be recorded yet: ${formatCount(faults.length)} ${faults.length === 1 ? "value" : "values"} can’t be read`}
    >
      <ul className="grid gap-1">
        {faults.slice(0, MAX_LISTED).map(({ line, column, message }) => (
          <li key={`${line} ${column}`} className="wrap-anywhere">
            Line {line}
            {column && `, ${column}`}: {message}
          </li>
        ))}
        {rest > 0 && <li>… and {formatCount(rest)} more.</li>}
      </ul>
    </Notice>
  );
}

/** Says how many files a file with more payments than one import records has to become. */
function TooManyPayments({ count }: { count: number }) {
  const files = formatCount(Math.ceil(count / MAX_IMPORTED_PAYMENTS));
  return (
    <Notice
      tone="bad"
      role="status"
      title={`Nothing can be recorded yet: the file has ${countPayments(count)}, and one import records at most ${formatCount(MAX_IMPORTED_PAYMENTS)}`}
    >
      Split it into {files} files, each beginning with the line that names the columns. Payments that two
      files have in common are found, and left out of the second.
    </Notice>
  );
}

/** The result of an import. */
function ImportNotice({ made: { payments, repeated, currency } }: { made: PaymentImport }) {
  const recorded = payments.filter(({ object }) => object === "ledger_entry");
  const waiting = payments.filter(({ object }) => object === "pending_payment");
  const links = (
    <>
      {recorded.length > 0 && (
        <TextLink href={paths.balance({ kind: "payment" })}>View payments in the ledger</TextLink>
      )}
      {waiting.length > 0 && <TextLink href={paths.payments()}>View pending payments</TextLink>}
    </>
  );
  if (repeated) {
    return (
      <Notice tone="near" role="status" title="Nothing was recorded again" actions={links}>
        Your first attempt recorded these payments, although its answer didn’t arrive.
      </Notice>
    );
  }
  return (
    <Notice
      tone={recorded.length > 0 ? "good" : "near"}
      role="status"
      title={
        recorded.length > 0
          ? `${countPayments(recorded.length)} recorded`
          : `${countPayments(waiting.length)} ${waiting.length === 1 ? "waits" : "wait"} for approval`
      }
      actions={links}
    >
      {recorded.length > 0 && (
        <>
          <Sum payments={recorded} currency={currency} /> can be spent now.{" "}
        </>
      )}
      {waiting.length > 0 && (
        <>
          <Sum payments={waiting} currency={currency} />
          {recorded.length > 0 && ` in ${countPayments(waiting.length)}`} can be spent once another member
          approves {waiting.length === 1 ? "it" : "them"}.
        </>
      )}
    </Notice>
  );
}

function Sum({ payments, currency }: { payments: PaymentImport["payments"]; currency: string }) {
  const sum = payments.reduce((total, { amount }) => total + parseCheckedAmount(amount), 0n);
  return <Money amount={formatAmount(toNano(sum))} currency={currency} />;
}

const schema = lateSchema<{ csv: string }>(() => import("./import-schema").then((file) => file.importForm));

/** The only conflict: payments that changed have another idempotency key. */
const MEANWHILE =
  "Nothing was recorded: one of these payments was recorded meanwhile. The plan below shows which.";

/** The CSV that is typed, what it means, the plan of recording it, and the last import. */
function useImport(currency: string) {
  const queryClient = useQueryClient();
  const form = useLateNewForm(schema, { csv: "" });
  const csv = useWatch({ control: form.control, name: "csv" });
  const [chosen, setChosen] = useState<Partial<PaymentMap>>({});
  const [allowedLines, setAllowedLines] = useState<ReadonlySet<number>>(new Set());
  const [made, setMade] = useState<PaymentImport | null>(null);
  const recordedCsv = useRef("");
  const parser = useLateModule(loadParser);
  const file = useMemo(
    () => parser?.parsePayments(csv.length > MAX_BYTES ? "" : csv, chosen, currency) ?? null,
    [parser, csv, chosen, currency],
  );
  const rows = file?.faults.length === 0 ? file.rows : [];
  const { preview, isCurrent } = useImportPreview(rows);
  const plan =
    rows.length > 0 && isCurrent && preview.data && planImport(rows, preview.data.payments, allowedLines);

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
