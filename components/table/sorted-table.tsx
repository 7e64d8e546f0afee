"use client";

import { useState } from "react";
import { DataTable, type DataTableProps } from "./data-table";
import { type Sort, sortRows } from "./sort-rows";

type SortedTableProps<Row> = Omit<DataTableProps<Row>, "sort" | "onSort"> & { initialSort?: Sort };

/** A `DataTable` whose rows are all loaded. Sorts in the browser by any column with a `sortValue`. */
export function SortedTable<Row>({ initialSort, rows, ...table }: SortedTableProps<Row>) {
  const [sort, setSort] = useState(initialSort);
  const valueOf = table.columns.find((column) => column.id === sort?.column)?.sortValue;
  const sorted = sort && valueOf ? sortRows(rows, valueOf, sort.descending) : rows;
  return <DataTable {...table} rows={sorted} sort={sort} onSort={setSort} />;
}
