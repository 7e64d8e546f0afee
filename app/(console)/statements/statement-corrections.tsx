import { Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { formatUtcDay, formatUtcMinute } from "@/components/ui/time/describe-time";
import { monthName } from "@/components/ui/time/month-name";
import { paths } from "@/lib/console/paths";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { formatAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { StatementTable } from "./statement-table";

type CorrectionEntry = NonNullable<Statement["correction_entries"]>[number];
type CorrectionsProps = {
  statement: Statement;
  /** Null for the whole organization. */
  projectId: string | null;
};

/** The month's corrections, each with the entry it corrects. For a project, only the corrections of its charges. */
export function Corrections({ statement, projectId }: CorrectionsProps) {
  const { correction_entries: all = [], currency, id: month } = statement;
  const entries = all.filter(({ project_id }) => projectId === null || project_id === projectId);
  if (entries.length === 0) return null;
  const total = entries.reduce((sum, { amount }) => sum + parseCheckedAmount(amount), 0n);
  return (
    <Part title="Corrections">
      <StatementTable
        caption={`Corrections, in ${currency}`}
        head={["Date (UTC)", "Reason", currency]}
        text={2}
        rows={entries.map((entry) => ({
          id: entry.id,
          cells: [
            <TextLink key="date" className="whitespace-nowrap" href={paths.ledgerEntry(entry.id)}>
              {formatUtcMinute(entry.created_at)}
            </TextLink>,
            <Corrected key="reason" entry={entry} month={month} />,
          ],
          amount: entry.amount,
          signed: true,
        }))}
        total={{ cells: ["Total", ""], amount: formatAmount(toNano(total)), signed: true }}
      />
    </Part>
  );
}

/** Names the reason and the corrected entry, with its month if that differs. */
function Corrected({ entry, month }: { entry: CorrectionEntry; month: string }) {
  const { corrects, corrected_kind, corrected_at, corrected_reference, model, project_name, project_id } =
    entry;
  const isPayment = corrected_kind === "payment";
  const date = formatUtcDay(corrected_at);
  const correctedMonth = new Date(corrected_at * 1000).toISOString().slice(0, 7);
  const subject = isPayment ? [corrected_reference] : [model, project_name ?? project_id];
  const where = correctedMonth === month ? null : `in the statement of ${monthName(correctedMonth)}`;
  const more = [...subject, where].filter(Boolean).join(", ");
  return (
    <>
      {entry.reason}
      <span className="block text-sm">
        <TextLink href={paths.ledgerEntry(corrects)}>
          {isPayment ? "Payment" : "Charge"} of {date}
        </TextLink>
      </span>
      {more && <span className="block text-sm text-muted">{more}</span>}
    </>
  );
}
