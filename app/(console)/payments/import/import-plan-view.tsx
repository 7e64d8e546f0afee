"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { formatAmount, toNano } from "@/lib/money/amount";
import { countPayments, type ImportPlan, isDuplicate, type PlannedRow } from "./plan-import";

type ImportPlanViewProps = {
  plan: ImportPlan;
  currency: string;
  /** Titles of the file's columns that aren't imported. */
  unread: readonly string[];
  isRecording: boolean;
  onAllow: (lines: readonly number[], isAllowed: boolean) => void;
};

/** What recording the file would do: the sums, and each row as it was understood. */
export function ImportPlanView({ plan, currency, unread, isRecording, onAllow }: ImportPlanViewProps) {
  const { record, wait, leftOut } = plan;
  const count = record.count + wait.count;
  const shares = [
    { name: "Recorded at once", ...record },
    { name: "Waits for approval", ...wait },
    { name: "Left out", ...leftOut },
  ];
  return (
    <Section
      title={count === 0 ? "Nothing to record" : `Records ${countPayments(count)}`}
      description="Nothing is recorded yet. All of them are recorded together, or none."
      actions={
        <Button type="submit" variant="primary" disabled={count === 0} pending={isRecording}>
          {count === 0 ? "Record payments" : `Record ${countPayments(count)}`}
        </Button>
      }
    >
      <Facts>
        {shares
          .filter((share) => share.count > 0)
          .map((share) => (
            <Fact key={share.name} name={share.name}>
              <Money amount={formatAmount(share.sum)} currency={currency} />{" "}
              <span className="text-muted">in {countPayments(share.count)}</span>
            </Fact>
          ))}
        {wait.count > 0 && record.count > 0 && (
          <Fact name="Together">
            <Money amount={formatAmount(toNano(record.sum + wait.sum))} currency={currency} />
          </Fact>
        )}
        {unread.length > 0 && <Fact name="Columns not read">{unread.join(", ")}</Fact>}
      </Facts>
      {leftOut.count > 0 && <LeftOut plan={plan} onAllow={onAllow} isRecording={isRecording} />}
      <DataTable
        caption="The payments of the file, and what happens to each"
        columns={planColumns({
          currency,
          disabled: isRecording,
          onAllow: (line, isAllowed) => onAllow([line], isAllowed),
        })}
        rows={plan.rows}
        rowId={({ payment }) => String(payment.line)}
      />
    </Section>
  );
}

function LeftOut({
  plan,
  onAllow,
  isRecording,
}: Pick<ImportPlanViewProps, "plan" | "onAllow" | "isRecording">) {
  const lines = plan.rows.filter(({ step }) => step === "leave out").map(({ payment }) => payment.line);
  const isAll = lines.length === plan.rows.length;
  return (
    <Notice
      tone="near"
      title={
        isAll
          ? "All payments of this file are recorded already"
          : `${countPayments(lines.length)} ${lines.length === 1 ? "seems" : "seem"} to be recorded already`
      }
      actions={
        lines.length > 1 && (
          <Button disabled={isRecording} onClick={() => onAllow(lines, true)}>
            Record all {lines.length} anyway
          </Button>
        )
      }
    >
      They have the amount and the reference of another payment, or its note if neither has a reference. They
      are left out unless you choose otherwise below.
    </Notice>
  );
}

const steps = {
  record: { tone: "good", label: "is recorded" },
  wait: { tone: "near", label: "waits for approval" },
  "leave out": { tone: "neutral", label: "is left out" },
} as const;

type PlanColumns = {
  currency: string;
  /** Whether to record a row although it equals another payment. */
  onAllow: (line: number, isAllowed: boolean) => void;
  disabled: boolean;
};

function planColumns({ currency, onAllow, disabled }: PlanColumns): readonly Column<PlannedRow>[] {
  return [
    {
      id: "line",
      header: "Line",
      numeric: true,
      width: "w-16",
      phone: "detail",
      cell: ({ payment }) => payment.line,
    },
    {
      id: "reference",
      header: "Reference",
      phone: "title",
      cell: ({ payment: { reference, note, paidOn } }) => (
        <span className="grid">
          <span className="wrap-anywhere">{reference ?? <span className="text-muted">none</span>}</span>
          {note && <span className="text-sm whitespace-normal text-muted">{note}</span>}
          {paidOn && <span className="text-sm text-muted">Paid on {writeDate(paidOn)}</span>}
        </span>
      ),
    },
    {
      id: "amount",
      header: "Amount",
      unit: currency,
      numeric: true,
      phone: "end",
      cell: ({ payment }) => <Money amount={payment.written} />,
    },
    {
      id: "step",
      header: "What happens",
      cell: (row) => (
        <span className="grid justify-items-start gap-1 listed:justify-items-end">
          <Status tone={steps[row.step].tone}>{steps[row.step].label}</Status>
          {isDuplicate(row) && (
            <>
              <Equal row={row} />
              <RecordAnyway row={row} onAllow={onAllow} disabled={disabled} />
            </>
          )}
        </span>
      ),
    },
  ];
}

function RecordAnyway({ row, onAllow, disabled }: Omit<PlanColumns, "currency"> & { row: PlannedRow }) {
  const { line } = row.payment;
  const id = useId();
  return (
    <span className="flex items-center gap-2 text-sm">
      <Checkbox
        id={id}
        checked={row.step !== "leave out"}
        disabled={disabled}
        onChange={({ target }) => onAllow(line, target.checked)}
      />
      <label htmlFor={id}>
        Record it anyway<span className="sr-only">, line {line}</span>
      </label>
    </span>
  );
}

function Equal({ row: { duplicateId, repeatsLine } }: { row: PlannedRow }) {
  if (!duplicateId) return <span className="text-sm text-muted">The same as line {repeatsLine}.</span>;
  const { object, id, created_at } = duplicateId;
  const href = object === "ledger_entry" ? paths.ledgerEntry(id) : paths.payments();
  return (
    <span className="text-sm whitespace-normal text-muted">
      The same as{" "}
      <TextLink href={href} className="underline">
        {object === "ledger_entry" ? "a recorded payment" : "one that waits"}
      </TextLink>
      , <RelativeTime at={created_at} />.
    </span>
  );
}
