import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "../ui/class-names";
import type { Column } from "./column";
import { HeadCell } from "./head-cell";
import type { Sort } from "./sort-rows";

export type DataTableProps<Row> = {
  /** What the rows are; read out by assistive technology. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row opens this address: by click anywhere on it, by Enter on its first cell. */
  rowHref?: (row: Row) => string | undefined;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** In the last row's place when there is no row: what the filter found nothing for. */
  none?: ReactNode;
};

/**
 * A table with a sticky head and rows of 36 px; below 640 px a list of the columns that matter. One document for both:
 * the roles are written out because a browser forgets them once `display` changes.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  rowHref,
  sort,
  onSort,
  none,
}: DataTableProps<Row>) {
  return (
    <div className="rounded-md border bg-surface">
      <table role="table" className="data-table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <TableRow key={rowId(row)} row={row} columns={columns} href={rowHref?.(row)} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <div className="px-3 py-8 text-center text-muted">{none ?? "Nothing here."}</div>}
    </div>
  );
}

type TableRowProps<Row> = { row: Row; columns: readonly Column<Row>[]; href: string | undefined };

function TableRow<Row>({ row, columns, href }: TableRowProps<Row>) {
  return (
    <tr role="row">
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          data-label={column.unit ? `${column.header} ${column.unit}` : column.header}
          className={classNames(
            column.numeric && "numeric",
            column.wide && "on-wide",
            `on-phone-${column.phone ?? (index === 0 ? "title" : "detail")}`,
          )}
        >
          {index === 0 && href ? (
            <Link href={href} className="stretched rounded-sm font-medium outline-offset-2">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
