"use client";

import { FileText } from "lucide-react";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { monthName } from "@/components/ui/time/month-name";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { StatementHead } from "@/lib/contract/operations/money/statements";
import { StatementState } from "./statement-read";
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

function statementColumns(currency: string | undefined): readonly Column<StatementHead>[] {
  const amount = (
    id: string,
    header: string,
    readAmount: (statement: StatementHead) => string,
    more: Partial<Column<StatementHead>> = {},
  ): Column<StatementHead> => ({
    id,
    header,
    unit: currency,
    numeric: true,
    amount: readAmount,
    cell: (statement) => <Money amount={readAmount(statement)} />,
    ...more,
  });
  return [
    {
      id: "month",
      header: "Month",
      phone: "title",
      width: "w-40",
      cell: ({ id }) => <span className="font-medium">{monthName(id)}</span>,
    },
    {
      id: "state",
      header: "State",
      cell: ({ state, closed_at, closed_by }) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <StatementState state={state} />
          {closed_at !== null && closed_by && (
            <span className="text-sm text-muted">
              by {closed_by.name} <RelativeTime at={closed_at} />
            </span>
          )}
        </span>
      ),
    },
    amount("opening", "Opening balance", ({ opening_balance }) => opening_balance, { wide: true }),
    amount("payments", "Payments", ({ payments }) => payments),
    amount("charges", "Charges", ({ charges }) => charges),
    amount("corrections", "Corrections", ({ corrections = "0.00" }) => corrections, { wide: true }),
    amount("closing", "Closing balance", ({ closing_balance }) => closing_balance),
  ];
}
