import type { ReactNode } from "react";
import { classNames } from "../ui/class-names";
import { ConsoleLink } from "../ui/console-link";
import type { Column } from "./column";
import { HeadCell } from "./head-cell";
import { LongBody, type RowAttributes } from "./long-body";
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

/** Of more rows than this, those that the window shows are drawn. */
const LONG_FROM = 100;
/** So many columns give way to the list where fewer would still fit. */
const CROWDED_FROM = 5;

/**
 * A table with a sticky head and rows of 36 px; where it has little room a list of the columns that matter. One document for
 * both: the roles are written out because a browser forgets them once `display` changes.
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
  const isLong = rows.length > LONG_FROM;
  const draw = (row: Row, attributes?: RowAttributes) => (
    <TableRow
      key={rowId(row)}
      row={row}
      columns={columns}
      href={rowHref?.(row)}
      {...(attributes && { attributes })}
    />
  );
  return (
    <div
      className="table-place rounded-md border bg-surface"
      data-crowded={columns.filter(({ wide }) => !wide).length >= CROWDED_FROM || undefined}
    >
      <table role="table" className="data-table" aria-rowcount={isLong ? rows.length + 1 : undefined}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={isLong ? 1 : undefined}>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {isLong ? (
          <LongBody rows={rows} rowId={rowId} draw={draw} />
        ) : (
          <tbody role="rowgroup">{rows.map((row) => draw(row))}</tbody>
        )}
      </table>
      {rows.length === 0 && <div className="px-3 py-8 text-center text-muted">{none ?? "Nothing here."}</div>}
    </div>
  );
}

type TableRowProps<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  attributes?: RowAttributes;
};

function TableRow<Row>({ row, columns, href, attributes }: TableRowProps<Row>) {
  return (
    <tr role="row" {...attributes}>
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
            <ConsoleLink href={href} className="stretched rounded-sm font-medium outline-offset-2">
              {column.cell(row)}
            </ConsoleLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
