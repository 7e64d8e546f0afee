"use client";

import { ArrowUp, Columns3, ScrollText } from "lucide-react";
import { useRead, useReadPages } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button, composeButtonStyle } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useOpenRow } from "@/components/ui/drawer/use-open-row";
import { changeAddress, useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { LinkButton } from "@/components/ui/links/link-button";
import { Menu } from "@/components/ui/menu/menu";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { PagedTable } from "@/components/ui/table/paged-table";
import { paths } from "@/lib/console/paths";
import type { LoggedRequest, UnlistedRefusals } from "@/lib/contract/operations/calls/requests";
import type { RequestRow } from "./request-columns";
import { type ColumnName, columnNames, defaultColumns, isCall, requestColumns } from "./request-columns";
import { useRequestFilter } from "./use-request-filter";

// Not rendered on the server, which can't show modal dialogs. The address may open it at once.
const RequestDrawer = loadOnClient(
  () => import("./request-drawer").then((file) => file.RequestDrawer),
  ({ show }) => show(""),
);

/** Calls, newest first. New calls are announced, but don't move the list until the person loads them. */
export function RequestList({ openedAt }: { openedAt: number }) {
  const { parameters, range, active } = useRequestFilter(openedAt);
  const [columns] = useColumns();
  const [open, setOpen] = useOpenRow();
  const requests = useReadPages("listRequests", parameters);
  const rows = interleaveRefusals(requests.data ?? []);
  const calls = rows.filter(isCall);
  const showNewest = () => {
    window.scrollTo({ top: 0 });
    void requests.refetch();
  };
  return (
    <>
      <ReadState read={requests} to="list the calls" skeleton={<TableSkeleton rows={12} columns={6} />}>
        {() => (
          <>
            {range.end === null && <NewCalls openedAt={openedAt} show={showNewest} />}
            {rows.length === 0 ? (
              <NoCall isFiltered={active.length > 0} isRange={range.start !== null || range.end !== null} />
            ) : (
              <PagedTable
                read={requests}
                noun="call"
                shown={calls.length}
                open={setOpen}
                caption="Calls, newest first"
                columns={requestColumns(columns, calls[0]?.currency)}
                rows={rows}
                openId={open}
                rowId={(row) => (isCall(row) ? row.id : `more-${row.minute}`)}
                rowHref={(row) => (isCall(row) ? paths.request(row.id) : undefined)}
              />
            )}
          </>
        )}
      </ReadState>
      {open && requests.data && <RequestDrawer id={open} ids={calls.map(({ id }) => id)} show={setOpen} />}
    </>
  );
}

/** Shows how many calls are newer than the newest one listed. */
function NewCalls({ openedAt, show }: { openedAt: number; show: () => void }) {
  const { since } = useNewCalls(openedAt);
  const found = since.data?.data.length ?? 0;
  const count = since.data?.has_more ? `${MAX_NEW_CALLS}+` : String(found);
  return (
    <div role="status" className="contents">
      {found > 0 && (
        <Button size="small" className="mb-2 w-full text-accent-text" onClick={show}>
          <ArrowUp aria-hidden />
          {count} new {count === "1" ? "call" : "calls"}
        </Button>
      )}
    </div>
  );
}

function NoCall({ isFiltered, isRange }: { isFiltered: boolean; isRange: boolean }) {
  if (isFiltered || isRange) {
    return (
      <EmptyState
        icon={ScrollText}
        title={isFiltered ? "No calls match these filters" : "No calls in this period"}
        action={
          isRange && (
            <Button onClick={() => changeAddress({ range: "all", from: undefined, to: undefined })}>
              Show all time
            </Button>
          )
        }
      >
        {isFiltered
          ? "Remove a filter, or choose a longer period."
          : "Each call from a program or the playground is listed here as it arrives. Choose a longer period to see earlier ones."}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ScrollText}
      title="No calls yet"
      action={
        <LinkButton variant="primary" href={paths.keys()}>
          Go to keys
        </LinkButton>
      }
    >
      Each call from a program or the playground is listed here as it arrives, and each refusal with its
      reason.
    </EmptyState>
  );
}

const POLL_MS = 5_000;
const MAX_NEW_CALLS = 100;

/** Returns the read of the listed calls, and a polled read of the calls newer than those. */
export function useNewCalls(openedAt: number) {
  const { parameters } = useRequestFilter(openedAt);
  const listed = useReadPages("listRequests", parameters);
  const newest = listed.data?.flatMap(({ data }) => data)[0]?.id;
  const since = useRead(
    "listRequests",
    { ...parameters, before: newest, limit: String(MAX_NEW_CALLS) },
    // Until the calls of a changed filter are read, the list shows those of the one before.
    { refetchInterval: POLL_MS, enabled: listed.data !== undefined && !listed.isPlaceholderData },
  );
  return { listed, since };
}

const all = Object.keys(columnNames) as ColumnName[];

/** The visible columns, from the address or by default. */
function useColumns(): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [text, setText] = useUrlParameter("columns");
  const named = all.filter((name) => text.split(",").includes(name));
  const choose = (columns: readonly ColumnName[]) => {
    const isUsual =
      columns.length === defaultColumns.length && columns.every((name) => defaultColumns.includes(name));
    setText(isUsual ? "" : columns.join(","));
  };
  return [named.length > 0 ? named : defaultColumns, choose];
}

/** Shows and hides columns. */
export function ColumnMenu() {
  const [columns, choose] = useColumns();
  const toggle = (name: ColumnName) =>
    choose(all.filter((one) => (one === name ? !columns.includes(one) : columns.includes(one))));
  return (
    <Menu
      align="end"
      triggerClassName={composeButtonStyle()}
      trigger={
        <>
          <Columns3 aria-hidden />
          Columns
        </>
      }
      sections={[
        {
          entries: all.map(
            (name): MenuEntry => ({
              id: name,
              label: columnNames[name],
              choice: { kind: "several", isChosen: columns.includes(name) },
              disabled: columns.length === 1 && columns.includes(name),
              onSelect: () => toggle(name),
            }),
          ),
        },
      ]}
    />
  );
}

interface Page {
  readonly data: readonly LoggedRequest[];
  readonly unlisted_refusals: readonly UnlistedRefusals[];
}

/**
 * Returns the rows of all pages, newest first. After the calls of each minute comes the number of its refusals that
 * weren't logged.
 */
export function interleaveRefusals(pages: readonly Page[]): RequestRow[] {
  const rows: RequestRow[] = [];
  const unlisted = pages.flatMap((page) => page.unlisted_refusals);
  let next = 0;
  for (const request of pages.flatMap((page) => page.data)) {
    for (let row = unlisted[next]; row && row.minute > request.created_at; row = unlisted[++next])
      rows.push(row);
    rows.push(request);
  }
  return [...rows, ...unlisted.slice(next)];
}
