"use client";

import type { ReactNode } from "react";
import { FilterInput } from "../filters/filter-input";
import { useUrlParameter } from "../filters/use-url-parameter";
import type { DataTableProps } from "./data-table";
import { describeNoMatch, describeUnlisted } from "./describe-unlisted";
import { SortedTable } from "./sorted-table";
import { Toolbar } from "./toolbar";

type FilteredListProps<Row> = Pick<
  DataTableProps<Row>,
  "caption" | "columns" | "rows" | "rowId" | "rowHref"
> & {
  /** A noun for one row: "key". */
  noun: string;
  /** The label of the filter: "Search keys". */
  label: string;
  /** The filter is hidden up to this number of rows. */
  unfilteredUpTo?: number;
  /** Further filters, shown next to the search. */
  filters?: ReactNode;
  /** Returns the rows that match the search. */
  find: (rows: readonly Row[], typed: string) => readonly Row[];
  /** The message if the search matches nothing. */
  none: (typed: string) => string;
  /** Downloads the whole list. */
  download: ReactNode;
  /** True if the list has more rows than `rows`. */
  hasMore: boolean;
};

/** A list that is loaded at once: a search bound to the address, a download, and sortable rows. */
export function FilteredList<Row>(props: FilteredListProps<Row>) {
  const { rows, noun, label, unfilteredUpTo = 0, filters, find, none, download, hasMore, ...table } = props;
  const [typed] = useUrlParameter("q");
  const part = { noun, loaded: rows.length, hasMore };
  const unlisted = describeUnlisted(part);
  return (
    <>
      <Toolbar actions={download}>
        {rows.length > unfilteredUpTo || typed !== "" ? (
          <FilterInput label={label} />
        ) : (
          <p className="text-sm text-muted">
            {rows.length} {rows.length === 1 ? noun : `${noun}s`}
          </p>
        )}
        {filters}
      </Toolbar>
      <SortedTable {...table} rows={find(rows, typed)} none={describeNoMatch(part, typed, none(typed))} />
      {unlisted && <p className="mt-2 text-sm text-muted">{unlisted}</p>}
    </>
  );
}
