import { type ReactNode, useState } from "react";
import { OrganizationMark } from "@/components/shell/logo";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Fact, Facts, Part } from "@/components/ui/facts";
import { TextLink } from "@/components/ui/links/text-link";
import { formatUtcDay, formatUtcMinute, formatUtcTime } from "@/components/ui/time/describe-time";
import { monthName } from "@/components/ui/time/month-name";
import { countPlaces, formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { formatAmount, negateDecimal, parseCheckedAmount, toNano } from "@/lib/money/amount";
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

interface StatementRow {
  /** All cells but the amount's. */
  readonly cells: readonly ReactNode[];
  /** A decimal string, shown in the last column. */
  readonly amount: string;
  /** Shows `+` on a positive amount. */
  readonly signed?: boolean;
}

type StatementTableProps = {
  caption: string;
  head: readonly string[];
  rows: readonly (StatementRow & { readonly id: string })[];
  total: StatementRow;
  /** Number of leading text columns. The others are numbers. */
  text?: number;
  /** Columns hidden on a phone, by index. */
  onlyWide?: readonly number[];
};

/** The rows of a long table that the screen shows until all are asked for. */
const FIRST_ROWS = 10;

/**
 * A table of a document, with amounts aligned on the decimal point. On the screen a long one is folded, so that its
 * total is at hand; paper has all rows.
 */
function StatementTable({ caption, head, rows, total, text = 1, onlyWide = [] }: StatementTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const hasMore = rows.length > FIRST_ROWS + 1;
  const isFolded = (index: number) => hasMore && !showsAll && index >= FIRST_ROWS;
  const places = Math.max(...[...rows, total].map(({ amount }) => countPlaces(amount)));
  const buildClass = (column: number) =>
    classNames(
      "py-1.5",
      column > 0 && "pl-4",
      column < text ? "text-left wrap-anywhere" : "text-right",
      onlyWide.includes(column) && "max-sm:hidden",
    );
  return (
    <table className="statement-table w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b text-sm text-muted">
          {head.map((title, column) => (
            <th key={title} scope="col" className={classNames(buildClass(column), "font-normal")}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, ...row }, index) => (
          <Row key={id} {...{ row, head, places, buildClass }} isFolded={isFolded(index)} />
        ))}
        {hasMore && (
          <tr className="print:hidden">
            <td colSpan={head.length} className="py-1">
              <Button size="small" variant="ghost" onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? `Show only the first ${FIRST_ROWS}` : `Show all ${formatCount(rows.length)}`}
              </Button>
            </td>
          </tr>
        )}
      </tbody>
      <tfoot className="border-t font-semibold">
        <Row row={total} isFolded={false} {...{ head, places, buildClass }} />
      </tfoot>
    </table>
  );
}

type RowProps = {
  row: StatementRow;
  head: readonly string[];
  /** Decimal places of the table's longest amount. */
  places: number;
  buildClass: (column: number) => string;
  /** True for a row that only paper shows. */
  isFolded: boolean;
};

function Row({ row: { cells, amount, signed = false }, head, places, buildClass, isFolded }: RowProps) {
  const last = head.length - 1;
  return (
    <tr className={classNames("break-inside-avoid", isFolded && "hidden print:table-row")}>
      {head.slice(0, last).map((title, column) =>
        column === 0 ? (
          <th key={title} scope="row" className={classNames(buildClass(column), "[font-weight:inherit]")}>
            {cells[column]}
          </th>
        ) : (
          <td key={title} className={buildClass(column)}>
            {cells[column]}
          </td>
        ),
      )}
      <td className={buildClass(last)} data-missing-places={"0".repeat(places - countPlaces(amount))}>
        <Money amount={amount} isSigned={signed} />
      </td>
    </tr>
  );
}
