import { useId } from "react";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { TextLink } from "@/components/ui/links/text-link";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { isDuplicate, type PlannedRow } from "./plan-import";

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

export function planColumns({ currency, onAllow, disabled }: PlanColumns): readonly Column<PlannedRow>[] {
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
