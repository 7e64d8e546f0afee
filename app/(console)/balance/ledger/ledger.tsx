"use client";

import { ArrowDownLeft, ArrowUpRight, ReceiptText, Scale, Undo2 } from "lucide-react";
import { KeyFilter, ModelFilter, ProjectFilter } from "@/components/filters/filter-choices";
import { entryColumns, entryKinds } from "@/components/money/ledger-entry-columns";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useRead, useReadRows } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { FilterBar } from "@/components/ui/filters/filter-bar";
import { AmountFilter, SelectFilter, TextFilter, Titled } from "@/components/ui/filters/filter-fields";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { RangeFilter } from "@/components/ui/filters/range-filter";
import { changeAddress, useAddressFilter, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { DateTime } from "@/components/ui/time/date-time";
import { ViewersZone } from "@/components/ui/time/shown-time";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { DEFAULT_RANGE, type FilterName, filterNames, ledgerParameters } from "./ledger-filter";

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const EntryDrawer = loadOnClient(
  () => import("@/app/(console)/balance/entry/entry-state").then((file) => file.EntryDrawer),
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
          Entries are never changed or deleted. A correction is a new entry. Times here are in <ViewersZone />
          , those of exports and statements in UTC.
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

const looks = {
  payment: { tone: "good", icon: ArrowDownLeft },
  charge: { tone: "neutral", icon: ArrowUpRight },
  correction: { tone: "neutral", icon: Undo2 },
  provider_variance: { tone: "near", icon: Scale },
} as const;

/** Entry columns for the ledger: also the entry's owner, the exact date and the running balance. */
function ledgerColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  const { subject, tokens, time, amount } = entryColumns(currency);
  return [
    {
      id: "kind",
      header: "Entry",
      apiName: "kind",
      width: "w-36",
      cell: ({ kind, basis }) => (
        <>
          <Status {...looks[kind]}>{entryKinds[kind]}</Status>
          {basis !== null && basis !== "reported" && (
            <span className="ml-2 text-sm text-warning">{basis}</span>
          )}
        </>
      ),
    },
    { ...time, width: "w-40", cell: ({ created_at }) => <DateTime at={created_at} /> },
    subject,
    {
      id: "project",
      header: "Project",
      apiName: "project_name",
      width: "w-36",
      cell: ({ project_id, project_name }) => (
        <span className="wrap-anywhere">{project_name ?? project_id}</span>
      ),
    },
    {
      id: "key",
      header: "Key",
      apiName: "key_name",
      width: "w-36",
      phone: "hidden",
      wide: true,
      cell: ({ key_id, key_name }) => <span className="wrap-anywhere">{key_name ?? key_id}</span>,
    },
    { ...tokens, width: "w-36", wide: true },
    { ...amount, width: "w-36" },
    {
      id: "balance",
      header: "Balance",
      apiName: "balance_after",
      width: "w-36",
      unit: currency,
      numeric: true,
      amount: ({ balance_after }) => balance_after,
      cell: ({ balance_after }) => balance_after && <Money amount={balance_after} />,
    },
  ];
}

const further: readonly FilterName[] = ["key_id", "min_amount", "max_amount", "reference", "request_id"];

/** The filters of the ledger, bound to the address. */
function LedgerFilters({ active }: { active: readonly FilterName[] }) {
  return (
    <FilterBar names={filterNames} active={active} further={{ names: further, fields: <FurtherFilters /> }}>
      <FilterInput label="Search entries" parameter="text" />
      <RangeFilter defaultRange={DEFAULT_RANGE} />
      <SelectFilter
        label="Kind"
        parameter="kind"
        all="All kinds"
        options={Object.entries(entryKinds).map(([value, label]) => ({ value, label }))}
      />
      <ProjectFilter keyParameter="key_id" />
      <ModelFilter />
    </FilterBar>
  );
}

/** The less common filters. */
function FurtherFilters() {
  const [project] = useUrlParameter("project_id");
  const currency = useRead("retrieveBalance").data?.currency;
  return (
    <>
      {project === "" ? (
        <TextFilter label="Key or member id" parameter="key_id" placeholder="key_… or user_…" />
      ) : (
        <Titled title="Key">
          <KeyFilter parameter="key_id" />
        </Titled>
      )}
      <AmountFilter
        label="Amount at least"
        parameter="min_amount"
        placeholder="Such as 0.01"
        currency={currency}
      />
      <AmountFilter
        label="Amount at most"
        parameter="max_amount"
        placeholder="Such as 100.00"
        currency={currency}
      />
      <TextFilter label="Reference contains" parameter="reference" placeholder="Invoice 2026-11" />
      <TextFilter label="Request id" parameter="request_id" placeholder="req_…" />
    </>
  );
}
