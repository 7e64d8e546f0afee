"use client";

import { entryColumns, entryKinds } from "@/components/money/ledger-entry-columns";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { latestEntries } from "./overview-reads";

const POLL_MS = 10_000;

/** The latest ledger entries, updated live. */
export function LatestEntries() {
  const ledger = useRead(...latestEntries, { refetchInterval: POLL_MS });
  return (
    <Section
      title="Latest ledger entries"
      actions={ledger.data && <TextLink href={paths.balance()}>View all entries</TextLink>}
    >
      <ReadState read={ledger} to="list the ledger" skeleton={<TableSkeleton rows={5} />}>
        {({ data }) => (
          <DataTable
            caption="The latest ledger entries"
            columns={buildColumns(data[0]?.currency)}
            rows={data}
            rowId={({ id }) => id}
            none="No money has moved yet."
          />
        )}
      </ReadState>
    </Section>
  );
}

function buildColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  return [
    {
      id: "kind",
      header: "Entry",
      width: "w-44",
      cell: ({ kind }) => <span className="font-medium">{entryKinds[kind]}</span>,
    },
    ...Object.values(entryColumns(currency)),
  ];
}
