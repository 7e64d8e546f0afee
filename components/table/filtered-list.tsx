"use client";

import type { ReactNode } from "react";
import { CsvLink } from "./csv-link";
import type { DataTableProps } from "./data-table";
import { FilterInput } from "./filter-input";
import { SortedTable } from "./sorted-table";
import { Toolbar } from "./toolbar";
import { useUrlParameter } from "./use-url-parameter";

type FilteredListProps<Row> = Pick<
  DataTableProps<Row>,
  "caption" | "columns" | "rows" | "rowId" | "rowHref"
> & {
  /** What a row is: "key". */
  noun: string;
  /** The label of the filter: "Search keys". */
  label: string;
  /** So many rows have no filter. */
  unfilteredUpTo?: number;
  /** Further filters, beside that. */
  filters?: ReactNode;
  /** The rows that fit what is typed. */
  find: (rows: readonly Row[], typed: string) => readonly Row[];
  /** What the filter found nothing for. */
  none: (typed: string) => string;
  /** Where the whole list is downloaded. */
  csv: string;
  /** There are more than these rows. */
  hasMore: boolean;
};

/** A list that is read at once: its filter, which stands in the address, its download, and its sorted rows. */
export function FilteredList<Row>(props: FilteredListProps<Row>) {
  const { rows, noun, label, unfilteredUpTo = 0, filters, find, none, csv, hasMore, ...table } = props;
  const [typed] = useUrlParameter("q");
  return (
    <>
      <Toolbar actions={<CsvLink href={csv} />}>
        {rows.length > unfilteredUpTo || typed !== "" ? (
          <FilterInput label={label} />
        ) : (
          <p className="text-sm text-muted">
            {rows.length} {rows.length === 1 ? noun : `${noun}s`}
          </p>
        )}
        {filters}
      </Toolbar>
      <SortedTable {...table} rows={find(rows, typed)} none={none(typed)} />
      {hasMore && (
        <p className="mt-2 text-sm text-muted">
          These are {rows.length.toLocaleString("en")} of them. The CSV file has them all.
        </p>
      )}
    </>
  );
}
