"use client";

import { useState } from "react";
import { Button } from "../button";
import { formatCount } from "../values/group-digits";
import { DataTable, type DataTableProps } from "./data-table";
import { cutRows, type Sort, sortRows } from "./sort-rows";

type SortedTableProps<Row> = Omit<DataTableProps<Row>, "sort" | "onSort"> & {
  initialSort?: Sort;
  /** False while `rows` are a part of a list, whose first rows by any column may be among the others. */
  isSortable?: boolean;
  /**
   * Shows this many rows until all are asked for, and their noun in the plural. For a table with something below it.
   * `isKept` names rows that are shown in any case.
   */
  first?: { count: number; noun: string; isKept?: (row: Row) => boolean };
};

/** A `DataTable` that, if its rows are all loaded, sorts in the browser by any column with a `sortValue`. */
export function SortedTable<Row>({
  initialSort,
  isSortable = true,
  first,
  rows,
  ...table
}: SortedTableProps<Row>) {
  const [showsAll, setShowsAll] = useState(false);
  const [sort, setSort] = useState(initialSort);
  const readSortValue = table.columns.find((column) => column.id === sort?.column)?.sortValue;
  const sortedRows = isSortable && sort && readSortValue ? sortRows(rows, readSortValue, sort) : rows;
  const isCut = first !== undefined && rows.length > first.count;
  const shownRows = isCut && !showsAll ? cutRows(sortedRows, first.count, first.isKept) : sortedRows;
  return (
    <>
      <DataTable {...table} rows={shownRows} {...(isSortable && { sort, onSort: setSort })} />
      {isCut && (
        <Button size="small" className="justify-self-start" onClick={() => setShowsAll(!showsAll)}>
          {showsAll
            ? `Show only ${first.count} ${first.noun}`
            : `Show all ${formatCount(rows.length)} ${first.noun}`}
        </Button>
      )}
    </>
  );
}
