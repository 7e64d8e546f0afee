"use client";

import dynamic from "next/dynamic";
import { ReadState } from "@/app/queries/read-state";
import { useReadPages } from "@/app/queries/use-read";
import { CsvLink } from "@/components/table/csv-link";
import { DataTable } from "@/components/table/data-table";
import { LoadMore } from "@/components/table/load-more";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/skeleton";
import { paths } from "@/lib/console/paths";
import { exportUrl } from "@/lib/console/reads";
import { ledgerColumns } from "./ledger-columns";
import { LedgerFilters } from "./ledger-filters";
import { ledgerParameters } from "./reads-of-balance";

// Never on the server: a modal dialog is the browser's, and the address may open it at once.
const EntryDialog = dynamic(() => import("./entry-dialog").then((file) => file.EntryDialog), { ssr: false });

const REFRESH_MS = 5_000;

/** Every movement of money, newest first, filtered by the address. */
export function Ledger() {
  const [kind] = useUrlParameter("kind");
  const [model] = useUrlParameter("model");
  const [requestId] = useUrlParameter("request_id");
  const [open, setOpen] = useUrlParameter("entry");
  const filter = { kind, model, requestId };
  const parameters = ledgerParameters(filter);
  const ledger = useReadPages("listLedger", parameters, { refetchInterval: REFRESH_MS });
  const rows = ledger.data;
  const isFiltered = Boolean(kind || model || requestId);
  return (
    <Section
      title="Ledger"
      description="Entries are never changed or deleted; a correction is a further entry."
    >
      <Toolbar actions={rows && <CsvLink href={exportUrl("listLedger", parameters)} />}>
        <LedgerFilters />
      </Toolbar>
      <ReadState read={ledger} to="list the ledger" skeleton={<TableSkeleton rows={10} columns={5} />}>
        {(entries) => (
          <>
            <DataTable
              caption="Ledger entries, newest first"
              columns={ledgerColumns(entries[0]?.currency)}
              rows={entries}
              rowId={({ id }) => id}
              rowHref={({ id }) => paths.balance({ kind, model, request_id: requestId, entry: id })}
              none={
                isFiltered
                  ? "No entry fits these filters."
                  : "No money has moved yet. Record a payment to begin."
              }
            />
            {entries.length > 0 && (
              <LoadMore
                shown={entries.length}
                noun={entries.length === 1 ? "entry" : "entries"}
                hasMore={ledger.hasNextPage}
                pending={ledger.isFetchingNextPage}
                onLoadMore={() => void ledger.fetchNextPage()}
              />
            )}
          </>
        )}
      </ReadState>
      {open && (rows || ledger.error) && (
        <EntryDialog id={open} listed={rows?.find(({ id }) => id === open)} close={() => setOpen("")} />
      )}
    </Section>
  );
}
