"use client";

import { FileText } from "lucide-react";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { statementColumns } from "./statement-columns";
import { statementsRead } from "./statement-reads";

const POLL_MS = 30_000;

/** All months since the first entry, newest first. */
export function StatementList() {
  const months = useReadRows(statementsRead.pages, statementsRead.parameters, {
    refetchInterval: POLL_MS,
  });
  return (
    <Section
      title="Months"
      actions={
        !isEmpty(months.data) && (
          <ExportMenu row="month" buildHref={(form) => buildExportUrl("listStatements", {}, form)} />
        )
      }
    >
      <ReadState
        read={months}
        to="list the statements"
        skeleton={<TableSkeleton rows={6} columns={6} />}
        empty={
          <EmptyState icon={FileText} title="No money has moved yet">
            The month of the first payment is the first statement.
          </EmptyState>
        }
      >
        {(data) => (
          <PagedTable
            read={months}
            noun="month"
            caption="Statements, newest month first"
            columns={statementColumns(data[0]?.currency)}
            rows={data}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.statement(id)}
          />
        )}
      </ReadState>
    </Section>
  );
}
