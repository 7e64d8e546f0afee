"use client";

import type { ReactNode } from "react";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { BusyContext } from "@/components/ui/states/refused-action";
import { countNouns } from "@/components/ui/values/group-digits";
import type { DataTableProps } from "./data-table";
import { LoadMore } from "./load-more";
import { SortedTable } from "./sorted-table";
import { Toolbar } from "./toolbar";

/** What a list has besides `rows`, as `useFurtherRows` reads it. */
export type FurtherRows<Row> = {
  /** True if the gateway searches, since the list has more rows than `rows`. */
  isSearched: boolean;
  /** Those that the search found, or those after `rows`; undefined until they are read. */
  rows: readonly Row[] | undefined;
  isPending: boolean;
  hasMore: boolean;
  loadMore: () => void;
};

type FilteredListProps<Row> = Pick<
  DataTableProps<Row>,
  "caption" | "columns" | "rows" | "rowId" | "rowHref"
> & {
  /** A noun for one row: "key". */
  noun: string;
  /** The label of the filter: "Search keys". */
  label: string;
  /** The parameter of the address that has the search. */
  parameter?: string;
  /** The filter is hidden up to this number of rows. */
  unfilteredUpTo?: number;
  /** Further filters, shown next to the search. */
  filters?: ReactNode;
  /** Returns the rows that match the search. */
  find: (rows: readonly Row[], typed: string) => readonly Row[];
  /** The message if the search matches nothing. */
  none: (typed: string) => string;
  /** Downloads the whole list. */
  download?: ReactNode;
  /** Null for a list that always has all of its rows in `rows`. */
  further: FurtherRows<Row> | null;
};

/** A list with a search bound to the address, a download, and rows that can be sorted once all of them are loaded. */
export function FilteredList<Row>(props: FilteredListProps<Row>) {
  const { rows, noun, label, parameter = "q", unfilteredUpTo = 0, filters, ...rest } = props;
  const { find, none, download, further, ...table } = rest;
  const [typed] = useUrlParameter(parameter);
  const isSearched = further?.isSearched ?? false;
  const loadedRows = [...rows, ...((!isSearched && further?.rows) || [])];
  const shownRows = (isSearched && further?.rows) || find(loadedRows, typed);
  const isPart = further?.hasMore || isSearched;
  const isFiltered = rows.length > unfilteredUpTo || typed !== "" || filters !== undefined;
  return (
    <>
      {(isFiltered || download) && (
        <Toolbar actions={download}>
          {isFiltered ? (
            <FilterInput label={label} parameter={parameter} />
          ) : (
            <p className="text-sm text-muted">{countNouns(rows.length, noun)}</p>
          )}
          {filters}
        </Toolbar>
      )}
      <BusyContext value={isSearched && further?.rows === undefined}>
        <SortedTable {...table} rows={shownRows} isSortable={!isPart} none={none(typed)} />
      </BusyContext>
      {isPart && further && (
        <LoadMore
          shown={shownRows.length}
          noun={noun}
          hasMore={further.hasMore}
          pending={further.isPending}
          onLoadMore={further.loadMore}
        />
      )}
    </>
  );
}
