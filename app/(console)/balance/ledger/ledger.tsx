"use client";

import { ReceiptText } from "lucide-react";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { changeAddress } from "@/components/ui/filters/change-address";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { ViewersZone } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { ledgerColumns } from "./ledger-columns";
import { filterNames, ledgerParameters } from "./ledger-filter";
import { LedgerFilters } from "./ledger-filters";

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const EntryDrawer = loadOnClient(
  () => import("../entry/entry-drawer").then((file) => file.EntryDrawer),
  ({ show }) => show(""),
);

const POLL_MS = 5_000;

/** All ledger entries, newest first, filtered by the address. */
export function Ledger({ openedAt, canCorrect }: { openedAt: number; canCorrect: boolean }) {
  const { parameters, active, isRange } = useLedgerFilter(openedAt);
  const [open, setOpen] = useOpenRow("entry");
  const ledger = useReadRows("listLedger", parameters, { refetchInterval: POLL_MS });
  const rows = ledger.data;
  const isFiltered = active.length > 0 || isRange;
  return (
    <Section
      title="Ledger"
      description={
        <>
          Entries are never changed or deleted. A correction is a new entry. Times are in <ViewersZone />;
          exports and statements are in UTC.
        </>
      }
      actions={
        <ExportMenu row="entry" buildHref={(form) => buildExportUrl("listLedger", parameters, form)} />
      }
    >
      <LedgerFilters active={active} />
      <ReadState read={ledger} to="list the ledger" skeleton={<TableSkeleton rows={10} columns={6} />}>
        {(entries) =>
          entries.length === 0 ? (
            <NoEntry isFiltered={isFiltered} />
          ) : (
            <PagedTable
              read={ledger}
              noun="entry"
              plural="entries"
              open={setOpen}
              caption="Ledger entries, newest first"
              columns={ledgerColumns(entries[0]?.currency)}
              rows={entries}
              openId={open}
              rowId={({ id }) => id}
              rowHref={({ id }) => paths.ledgerEntry(id)}
            />
          )
        }
      </ReadState>
      {open && (rows || ledger.error) && (
        <EntryDrawer
          id={open}
          ids={rows?.map(({ id }) => id) ?? []}
          listed={rows?.find(({ id }) => id === open)}
          canCorrect={canCorrect}
          show={setOpen}
        />
      )}
    </Section>
  );
}

const nothing = Object.fromEntries([...filterNames, "range", "from", "to"].map((name) => [name, undefined]));

function NoEntry({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState icon={ReceiptText} title="No money has moved yet">
        Record a payment to get started. Each call paid from it is listed here with its calculation.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="No entry fits these filters"
      action={<Button onClick={() => changeAddress(nothing)}>Show every entry</Button>}
    >
      Remove a filter, or choose a longer period.
    </EmptyState>
  );
}

/** Returns the ledger's filter from the address. `isRange` is true if it sets a time range. */
function useLedgerFilter(openedAt: number) {
  const { findInAddress, ...filter } = useAddressFilter(filterNames, ledgerParameters, openedAt);
  return { ...filter, isRange: ["range", "from", "to"].some((name) => findInAddress(name) !== "") };
}
