"use client";

import { Download, Lock, Printer, Scale } from "lucide-react";
import { useEffect } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatIsoTime } from "@/components/ui/time/describe-time";
import { monthName } from "@/components/ui/time/month-name";
import { paths } from "@/lib/console/paths";
import { writeCsvLine } from "@/lib/contract/csv";
import type { Statement, StatementLine } from "@/lib/contract/operations/money/statements";
import { negateDecimal } from "@/lib/money/amount";
import { closeMonth } from "./actions";
import { StatementDocument } from "./statement-document";
import { StatementRead, StatementState } from "./statement-read";
import { isMonth } from "./statement-reads";
import { listStatementProjects, sumAllLines, sumProject } from "./sum-statement";

type StatementScreenProps = {
  month: string;
  /** The organization's, as a data URL. */
  logo: string | null;
  canClose: boolean;
};

/** The statement of a month, for the organization or for one project. */
export function StatementScreen({ month, logo, canClose }: StatementScreenProps) {
  const read = useRead("retrieveStatement", { month });
  const name = isMonth(month) ? monthName(month) : month;
  const statement = read.data;
  return (
    <>
      <PageCrumb label={name} />
      <PageHead
        title={`Statement of ${name}`}
        beside={statement && <StatementState state={statement.state} />}
        action={statement && <Actions statement={statement} name={name} canClose={canClose} />}
      />
      <StatementRead read={read} month={name}>
        {(shown) => <Shown statement={shown} logo={logo} />}
      </StatementRead>
    </>
  );
}

function Shown({ statement, logo }: { statement: Statement; logo: string | null }) {
  const [projectId] = useUrlParameter("project");
  const projects = listStatementProjects(statement);
  const project = projectId && (projects.find(({ id }) => id === projectId)?.name ?? projectId);
  return (
    <div className="grid gap-6">
      {project && <PrintSubject name={project} />}
      {projects.length > 0 && (
        <div className="print:hidden">
          <SelectFilter
            label="Project"
            parameter="project"
            all="Whole organization"
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      <StatementDocument
        statement={statement}
        logo={logo}
        project={project ? { id: projectId, name: project } : null}
      />
    </div>
  );
}

type ActionsProps = { statement: Statement; name: string; canClose: boolean };

function Actions({ statement, name, canClose }: ActionsProps) {
  const [projectId] = useUrlParameter("project");
  const file = `statement-${[statement.id, projectId].filter(Boolean).join("-")}`;
  return (
    <>
      <Button
        onClick={() => downloadFile(`${file}.csv`, "text/csv", writeStatement(statement, projectId || null))}
      >
        <Download aria-hidden />
        CSV
      </Button>
      <Button
        onClick={() =>
          downloadFile(`${file}.json`, "application/json", writeStatementJson(statement, projectId || null))
        }
      >
        <Download aria-hidden />
        JSON
      </Button>
      <Button onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
      <LinkButton href={paths.compareInvoice(statement.id)}>
        <Scale aria-hidden />
        Compare an invoice
      </LinkButton>
      {canClose && statement.state === "open" && (
        <ConfirmedAction
          renderButton={(ask) => (
            <Button variant="primary" onClick={ask}>
              <Lock aria-hidden />
              Close month
            </Button>
          )}
          title={`Close ${name}?`}
          confirmLabel={`Close ${name}`}
          danger={false}
          action={closeMonth}
          input={{ month: statement.id }}
          refetch={["listStatements", "retrieveStatement"]}
          done={() => `${name} closed`}
        >
          Its statement can no longer change, and the month can’t be reopened. Corrections count in the month
          in which they are entered.
        </ConfirmedAction>
      )}
    </>
  );
}

/** Adds what a page's title doesn't name, such as the chosen project, to the foot of printed pages. Renders nothing. */
function PrintSubject({ name }: { name: string }) {
  useEffect(() => {
    document.documentElement.dataset.printSubject = name;
    return () => {
      delete document.documentElement.dataset.printSubject;
    };
  }, [name]);
  return null;
}

const head = [
  "month",
  "entry",
  "date",
  "reference",
  "project_id",
  "project",
  "model",
  "calls",
  "prompt_tokens",
  "completion_tokens",
  "corrects",
  "reason",
  "amount",
  "currency",
];

/**
 * Returns a statement as CSV. The rows between opening and closing balance add up to their difference. For one project,
 * only charges and their corrections.
 */
export function writeStatement(statement: Statement, projectId: string | null): string {
  const { id, currency, opening_balance, closing_balance, payment_entries, correction_entries, lines } =
    statement;
  const row = (entry: string, cells: readonly unknown[], amount: string) =>
    writeCsvLine([id, entry, ...cells, amount, currency]);
  const empty = Array.from({ length: 10 }, () => null);
  const charges = lines
    .filter((line) => projectId === null || line.project_id === projectId)
    .map((line) => row("charges", [null, null, ...buildCells(line)], negateDecimal(line.charges)));
  const corrections = (correction_entries ?? [])
    .filter((entry) => projectId === null || entry.project_id === projectId)
    .map((entry) => row("correction", writeCorrectionCells(entry), entry.amount));
  if (projectId !== null) return writeCsvLine(head) + charges.join("") + corrections.join("");
  const payments = payment_entries.map(({ created_at, reference, amount }) =>
    row("payment", [formatIsoTime(created_at), reference, ...empty.slice(2)], amount),
  );
  return [
    writeCsvLine(head),
    row("opening balance", empty, opening_balance),
    ...payments,
    ...charges,
    ...corrections,
    row("closing balance", empty, closing_balance),
  ].join("");
}

/**
 * Returns a statement as JSON. For one project, its lines and corrections with their sums, without the digest, which
 * holds for the whole statement.
 */
export function writeStatementJson(statement: Statement, projectId: string | null): string {
  if (projectId === null) return JSON.stringify(statement, null, 2);
  const { id, state, start_time, end_time, currency, closed_at } = statement;
  const lines = statement.lines.filter((line) => line.project_id === projectId);
  const correction_entries = (statement.correction_entries ?? []).filter(
    ({ project_id }) => project_id === projectId,
  );
  const { charges } = sumAllLines(lines);
  const { corrections, cost } = sumProject(statement, projectId, charges);
  const name = listStatementProjects(statement).find((project) => project.id === projectId)?.name ?? null;
  const project = { id: projectId, name };
  const sums = { charges, corrections: corrections ?? "0.00", cost };
  const month = { id, state, start_time, end_time, currency, closed_at };
  return JSON.stringify(
    { object: "project_statement", ...month, project, ...sums, lines, correction_entries },
    null,
    2,
  );
}

function buildCells(line: StatementLine) {
  const { project_id, project_name, model, calls, prompt_tokens, completion_tokens } = line;
  return [project_id, project_name, model, calls, prompt_tokens, completion_tokens, null, null];
}

function writeCorrectionCells(entry: NonNullable<Statement["correction_entries"]>[number]) {
  const { created_at, corrected_reference, project_id, project_name, model, corrects, reason } = entry;
  const charged = [project_id, project_name, model, null, null, null];
  return [formatIsoTime(created_at), corrected_reference, ...charged, corrects, reason];
}
