"use client";

import { Download, Lock, Printer, Scale } from "lucide-react";
import { useEffect } from "react";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { SelectFilter } from "@/components/ui/filters/filter-fields";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page-head";
import { downloadFile } from "@/components/ui/text/download-file";
import { monthName } from "@/components/ui/time/month-name";
import { paths } from "@/lib/console/paths";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { closeMonth } from "./actions";
import { isMonth } from "./is-month";
import { StatementDocument } from "./statement-document";
import { StatementRead } from "./statement-read";
import { StatementState } from "./statement-state";
import { listStatementProjects } from "./sum-statement";
import { writeStatement, writeStatementJson } from "./write-statement";

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
