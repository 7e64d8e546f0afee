"use client";

import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { DataTable } from "@/components/ui/table/data-table";
import { Money } from "@/components/ui/values/money";
import { formatAmount, toNano } from "@/lib/money/amount";
import { planColumns } from "./plan-columns";
import { countPayments, type ImportPlan } from "./plan-import";

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
