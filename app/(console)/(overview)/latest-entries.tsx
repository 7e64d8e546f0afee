"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { useRead } from "@/app/queries/use-read";
import type { Column } from "@/components/table/column";
import { DataTable } from "@/components/table/data-table";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { entryColumns, entryKinds } from "../ledger-entry-columns";
import { latestEntries } from "./reads-of-overview";

const REFRESH_MS = 10_000;

/** The last movements of money, as they come. */
export function LatestEntries() {
  const ledger = useRead(...latestEntries, { refetchInterval: REFRESH_MS });
  const rows = ledger.data?.data;
  return (
    <Section
      title="Latest ledger entries"
      actions={rows && <TextLink href={paths.balance()}>See all of them</TextLink>}
    >
      {rows ? (
        <DataTable
          caption="The latest ledger entries"
          columns={columnsOf(rows[0]?.currency)}
          rows={rows}
          rowId={({ id }) => id}
          none="No money has moved yet."
        />
      ) : ledger.error ? (
        <ProblemState
          problem={ledger.error.problem}
          to="list the ledger"
          retry={() => void ledger.refetch()}
        />
      ) : (
        <TableSkeleton rows={5} />
      )}
    </Section>
  );
}

function columnsOf(currency: string | undefined): readonly Column<LedgerEntry>[] {
  return [
    {
      id: "kind",
      header: "Entry",
      width: "w-44",
      cell: ({ kind }) => <span className="font-medium">{entryKinds[kind]}</span>,
    },
    ...entryColumns(currency),
  ];
}
