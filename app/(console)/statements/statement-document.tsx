import { OrganizationMark } from "@/components/shell/organization-mark";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { formatUtcDay, formatUtcMinute, formatUtcTime } from "@/components/ui/time/describe-time";
import { monthName } from "@/components/ui/time/month-name";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { formatAmount, negateDecimal, parseCheckedAmount, toNano } from "@/lib/money/amount";
import { StatementTable } from "./statement-table";
import { byModel, byProject, type Subtotal, sumAllLines, sumLinesBy, sumProject } from "./sum-statement";

type DocumentProps = {
  statement: Statement;
  /** Null for the whole organization. */
  project: { id: string; name: string } | null;
  /** The organization's, as a data URL. */
  logo: string | null;
};

/** The statement for printing or sending. Looks the same on paper as on the screen. */
export function StatementDocument({ statement, project, logo }: DocumentProps) {
  const projectId = project?.id ?? null;
  const lines = statement.lines.filter((line) => projectId === null || line.project_id === projectId);
  const total = sumAllLines(lines);
  const { currency } = statement;
  return (
    <article className="grid max-w-3xl gap-8 rounded-md border bg-surface p-6 max-sm:border-0 max-sm:bg-transparent max-sm:p-0 print:max-w-none print:border-0 print:p-0">
      {logo !== null && <OrganizationMark logo={logo} className="size-12" />}
      <About statement={statement} project={project?.name ?? null} />
      {projectId === null ? (
        <Sums statement={statement} />
      ) : (
        <ProjectSums statement={statement} projectId={projectId} charges={total.charges} />
      )}
      {projectId === null && <Payments statement={statement} />}
      <Part title="Charges by model">
        <Charges currency={currency} head="Model" rows={sumLinesBy(lines, byModel)} total={total} />
      </Part>
      {projectId === null && lines.length > 0 && (
        <Part title="Charges by project">
          <Charges
            currency={currency}
            head="Project"
            rows={sumLinesBy(lines, byProject)}
            total={total}
            buildHref={(id) => paths.statement(statement.id, { project: id })}
          />
        </Part>
      )}
      <Corrections statement={statement} projectId={projectId} />
      <Origin statement={statement} isProject={projectId !== null} />
    </article>
  );
}

function About({ statement, project }: { statement: Statement; project: string | null }) {
  const { organization, start_time, end_time, currency } = statement;
  return (
    <Facts>
      <Fact name="Organization">
        <span className="font-medium">{organization}</span>
      </Fact>
      {project && (
        <Fact name="Project">
          <span className="font-medium">{project}</span>
          <span className="block text-sm text-muted">
            Projects have no balances of their own: all payments go to the organization’s balance.
          </span>
        </Fact>
      )}
      <Fact name="Period">
        {formatDay(start_time)} to {formatDay(end_time - 1)} (UTC)
      </Fact>
      <Fact name="Currency">{currency}</Fact>
    </Facts>
  );
}

/** Formats `1 October 2026` in UTC. */
function formatDay(at: number): string {
  return new Date(at * 1000).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

function Sums({ statement }: { statement: Statement }) {
  const { currency, opening_balance, payments, charges, corrections = "0.00", closing_balance } = statement;
  const isCorrected = (statement.correction_entries ?? []).length > 0;
  return (
    <StatementTable
      caption={`Balance of the month, in ${currency}`}
      head={["Balance", currency]}
      rows={[
        { id: "opening", cells: ["Opening balance"], amount: opening_balance },
        { id: "payments", cells: ["Payments"], amount: payments, signed: true },
        { id: "charges", cells: ["Charges"], amount: negateDecimal(charges) },
        ...(isCorrected
          ? [{ id: "corrections", cells: ["Corrections"], amount: corrections, signed: true }]
          : []),
      ]}
      total={{ cells: ["Closing balance"], amount: closing_balance }}
    />
  );
}

type ProjectSumsProps = { statement: Statement; projectId: string; charges: string };

/** What the project's calls cost in the month. A project has no balance. */
function ProjectSums({ statement, projectId, charges }: ProjectSumsProps) {
  const { currency } = statement;
  const { corrections, cost } = sumProject(statement, projectId, charges);
  return (
    <StatementTable
      caption={`Cost of the month, in ${currency}`}
      head={["Cost", currency]}
      rows={[
        { id: "charges", cells: ["Charges"], amount: charges },
        ...(corrections === null
          ? []
          : [{ id: "corrections", cells: ["Corrections"], amount: corrections, signed: true }]),
      ]}
      total={{ cells: ["Cost of the month"], amount: cost }}
    />
  );
}

function Payments({ statement }: { statement: Statement }) {
  const { payment_entries: entries, currency, payments } = statement;
  if (entries.length === 0) return null;
  return (
    <Part title="Payments">
      <StatementTable
        caption={`Payments, in ${currency}`}
        head={["Date (UTC)", "Reference", currency]}
        text={2}
        rows={entries.map(({ id, created_at, reference, amount }) => ({
          id,
          cells: [
            <TextLink key="date" className="whitespace-nowrap" href={paths.ledgerEntry(id)}>
              {formatUtcMinute(created_at)}
            </TextLink>,
            reference ?? "none",
          ],
          amount,
        }))}
        total={{ cells: ["Total", ""], amount: payments }}
      />
    </Part>
  );
}

type ChargesProps = {
  currency: string;
  head: string;
  rows: readonly Subtotal[];
  total: Subtotal;
  buildHref?: (id: string) => string;
};

function Charges({ currency, head, rows, total, buildHref }: ChargesProps) {
  if (rows.length === 0) return <p className="text-muted">No call was charged in this month.</p>;
  const buildCells = ({ calls, promptTokens, completionTokens }: Subtotal) => [
    <Quantity key="calls" value={calls} />,
    <Quantity key="in" value={promptTokens} />,
    <Quantity key="out" value={completionTokens} />,
  ];
  return (
    <StatementTable
      caption={`Charges by ${head.toLowerCase()}, in ${currency}`}
      head={[head, "Calls", "Tokens in", "Tokens out", currency]}
      onlyWide={[2, 3]}
      rows={rows.map((row) => ({
        id: row.id,
        cells: [
          buildHref ? (
            <TextLink key="name" href={buildHref(row.id)}>
              {row.name}
            </TextLink>
          ) : (
            row.name
          ),
          ...buildCells(row),
        ],
        amount: row.charges,
      }))}
      total={{ cells: ["Total", ...buildCells(total)], amount: total.charges }}
    />
  );
}

/** Names the source of the statement and how to verify it. */
function Origin({ statement, isProject }: { statement: Statement; isProject: boolean }) {
  const { state, closed_at, closed_by, digest, entries } = statement;
  return (
    <footer className="grid break-inside-avoid gap-3 border-t pt-4 text-sm">
      <Facts isStacked>
        {!isProject && (
          <Fact name="Ledger entries">
            <Quantity value={entries} />
          </Fact>
        )}
        {closed_at !== null && closed_by && (
          <Fact name="Closed">
            {formatUtcTime(closed_at)} by {closed_by.name}
          </Fact>
        )}
        {digest && !isProject && (
          <Fact name="Digest (SHA-256)">
            <code className="font-mono break-all">{digest}</code>
          </Fact>
        )}
      </Facts>
      <p className="text-muted">
        {state === "closed"
          ? "This month is closed: its statement never changes."
          : "This month is not closed: its statement may still change."}{" "}
        Amounts are exact to nine decimals. A call counts in the month in which it was charged; usage counts
        it in the month in which it came in.
      </p>
    </footer>
  );
}

type CorrectionEntry = NonNullable<Statement["correction_entries"]>[number];
type CorrectionsProps = {
  statement: Statement;
  /** Null for the whole organization. */
  projectId: string | null;
};

/** The month's corrections, each with the entry it corrects. For a project, only the corrections of its charges. */
function Corrections({ statement, projectId }: CorrectionsProps) {
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
