"use client";

import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide-react";
import {
  type FocusEvent,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useApiName } from "@/components/ui/api-name";
import { useIsPainted } from "@/components/ui/browser/use-is-painted";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { BusyContext } from "@/components/ui/states/refused-action";
import { countPlaces } from "@/components/ui/values/group-digits";
import type { Column } from "./column";
import { countFirstRows, Gap, ROW_PX } from "./gap";
import { computeNextSort, type Sort } from "./sort-rows";
import type { ObserveRow, RowRange, VisibleRangeProps } from "./visible-range";

export type DataTableProps<Row> = {
  /** A name for the rows, read out by assistive technology. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The address that the row links to. A click anywhere on the row, or Enter on its first cell of words, opens it. */
  rowHref?: (row: Row) => string | undefined;
  /** The row that a drawer beside the table shows. */
  openId?: string;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** Shown if there are no rows: says what the filter searched for. */
  none?: ReactNode;
};

/** With more rows than this, only the visible ones are rendered. */
const LONG_FROM = 100;
/** With this many columns, the table switches to a list sooner. */
const CROWDED_FROM = 5;

/**
 * A table with a sticky head and 36 px rows, which turns into a list of the main columns in a narrow space. Roles are
 * explicit because browsers drop the implicit ones once `display` changes.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  rowHref,
  openId,
  sort,
  onSort,
  none,
}: DataTableProps<Row>) {
  const isLong = rows.length > LONG_FROM;
  const [showsAll, setShowsAll] = useState(false);
  const shownColumns = showsAll ? columns.map(alwaysShown) : columns;
  const sizedColumns = shownColumns.map((column) => ({ column, places: mostPlaces(column, rows) }));
  const draw = (row: Row, attributes?: RowAttributes) => (
    <TableRow
      key={rowId(row)}
      row={row}
      columns={sizedColumns}
      href={rowHref?.(row)}
      isOpen={openId !== undefined && rowId(row) === openId}
      index={attributes?.index}
      observe={attributes?.observe}
    />
  );
  return (
    <TableFrame
      isCrowded={columns.filter(({ wide }) => !wide).length >= CROWDED_FROM}
      leftOut={{
        narrow: columns.flatMap(({ wide, header }) => (wide ? header : [])),
        listed: columns.flatMap(({ phone, header }) => (phone === "hidden" ? header : [])),
      }}
      showsAll={showsAll}
      showAll={() => setShowsAll(true)}
    >
      <table role="table" className="data-table" aria-rowcount={isLong ? rows.length + 1 : undefined}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={isLong ? 1 : undefined}>
            {shownColumns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <TableBody rows={rows} rowId={rowId} isLong={isLong} draw={draw} />
      </table>
      {rows.length === 0 && (
        <div className="px-3 py-8 text-center wrap-anywhere text-muted">{none ?? "Nothing here."}</div>
      )}
    </TableFrame>
  );
}

/** The column as one that no lack of room takes away. */
function alwaysShown<Row>({ phone, ...column }: Column<Row>): Column<Row> {
  const place = phone === "hidden" ? "detail" : phone;
  return { ...column, wide: false, ...(place && { phone: place }) };
}

/** The number of places of a column's longest amount; null for a column without amounts. */
function mostPlaces<Row>({ amount }: Column<Row>, rows: readonly Row[]): number | null {
  return amount ? Math.max(0, ...rows.map((row) => countPlaces(amount(row) ?? ""))) : null;
}

/** Digits that a cell lacks behind the point. They are laid out unseen, so that the points of a column are aligned. */
function missingPlaces<Row>({ amount }: Column<Row>, row: Row, places: number | null): string | undefined {
  return places && amount ? "0".repeat(places - countPlaces(amount(row) ?? "")) : undefined;
}

type TableRowProps<Row> = {
  row: Row;
  columns: readonly { readonly column: Column<Row>; readonly places: number | null }[];
  href: string | undefined;
  isOpen: boolean;
  /** The index among all rows, in a table that renders only some. */
  index: number | undefined;
  observe: Ref<HTMLTableRowElement> | undefined;
};

// While a long table scrolls, it renders the new rows alone.
const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

function PlainTableRow<Row>({ row, columns, href, isOpen, index: rowIndex, observe }: TableRowProps<Row>) {
  const linked = columns.findIndex(({ column }) => !column.isControl);
  return (
    <tr
      role="row"
      ref={observe}
      data-index={rowIndex}
      data-chosen={isOpen || undefined}
      aria-rowindex={rowIndex === undefined ? undefined : rowIndex + 2}
    >
      {columns.map(({ column, places }, index) => (
        <td
          key={column.id}
          role="cell"
          data-missing-places={missingPlaces(column, row, places)}
          data-label={column.unit ? `${column.header} ${column.unit}` : column.header}
          className={classNames(
            column.numeric && "numeric",
            column.wide && "on-wide",
            `on-phone-${column.phone ?? (index === linked ? "title" : "detail")}`,
          )}
        >
          {index === linked && href ? (
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

/** The heads of the columns that are left out in a narrow space, and where rows are blocks. */
type LeftOutColumns = { readonly narrow: readonly string[]; readonly listed: readonly string[] };

type TableFrameProps = {
  isCrowded: boolean;
  leftOut: LeftOutColumns;
  /** True once all columns were asked for: what doesn't fit is scrolled to. */
  showsAll: boolean;
  showAll: () => void;
  children: ReactNode;
};

/**
 * The box around a table. Dims the rows of the filter before, until those of the present one have come, and names the
 * columns for which there is no room.
 */
function TableFrame({ isCrowded, leftOut, showsAll, showAll, children }: TableFrameProps) {
  const isBusy = useContext(BusyContext);
  return (
    <div
      className="table-frame rounded-md border bg-surface aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-150"
      data-crowded={isCrowded || undefined}
      data-scrolls={showsAll || undefined}
      aria-busy={isBusy || undefined}
    >
      {children}
      {!showsAll && (
        <>
          <LeftOut where="narrow" names={leftOut.narrow} showAll={showAll} />
          <LeftOut where="listed" names={leftOut.listed} showAll={showAll} />
        </>
      )}
    </div>
  );
}

type LeftOutProps = { where: keyof LeftOutColumns; names: readonly string[]; showAll: () => void };

function LeftOut({ where, names, showAll }: LeftOutProps) {
  if (names.length === 0) return null;
  return (
    <div
      data-left-out={where}
      className="flex-wrap items-center gap-x-3 gap-y-1 border-t px-3 py-1.5 text-sm"
    >
      <span className="min-w-0 text-muted">Not shown: {names.join(", ")}</span>
      <Button size="small" variant="ghost" onClick={showAll}>
        {names.length === 1 ? "Show this column" : "Show these columns"}
      </Button>
    </div>
  );
}

type HeadCellProps<Row> = {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

const directions = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown };

/** A column's head. Stays below the top bar while rows scroll. */
function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const sortable = onSort !== undefined && (column.sortValue !== undefined || column.isOrdered === true);
  const apiName = useApiName(column.apiName);
  const direction = sort?.column !== column.id ? "none" : sort.descending ? "descending" : "ascending";
  const Arrow = directions[direction];
  const words = column.head ?? (
    <span>
      {column.header}
      {column.unit && (
        <span className={classNames("font-normal", column.unitBelow ? "block" : "max-[1400px]:block")}>
          {" "}
          {column.unit}
        </span>
      )}
    </span>
  );
  return (
    <th
      role="columnheader"
      scope="col"
      title={apiName}
      aria-sort={sortable && direction !== "none" ? direction : undefined}
      className={classNames(
        column.numeric && "numeric",
        column.wide && "on-wide",
        // Text that may break anywhere would otherwise shrink to one letter per line.
        column.width ?? (column.numeric ? undefined : "min-w-32"),
      )}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(computeNextSort(sort, column.id))}
          className={classNames(
            "group/sort relative min-h-6 rounded-sm align-middle hover:text-foreground",
            column.numeric ? "text-right" : "text-left",
          )}
        >
          {words}
          <Arrow
            aria-hidden
            className={classNames(
              // Placed between two columns, so that it takes up none of their width.
              "absolute top-1/2 mx-px size-3.5 -translate-y-1/2",
              column.numeric ? "right-full" : "left-full",
              direction === "none" && "opacity-0 group-hover/sort:opacity-60",
            )}
          />
        </button>
      ) : (
        words
      )}
    </th>
  );
}

/** Rows of a long table that the server renders, which doesn't know the size of the window. */
const SERVERS_FIRST_ROWS = 40;

/** Most tables are short: they don't load it. If it can't be loaded, all rows are rendered. */
const VisibleRange = loadOnClient<VisibleRangeProps<unknown>>(() =>
  import("./visible-range").then(
    (module) => module.VisibleRange,
    () => AllRows,
  ),
);

type TableBodyProps<Row> = {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Only the visible rows are rendered, and the focused one. */
  isLong: boolean;
  draw: (row: Row, attributes?: RowAttributes) => ReactNode;
};

/** What belongs on the `<tr>` of a long table: `index` as `data-index`, `observe` as `ref`. */
type RowAttributes = { index: number; observe: ObserveRow };

/** Renders the rows of a table, and spacers in place of those that nobody sees yet. */
function TableBody<Row>({ rows, rowId, isLong, draw }: TableBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [observer] = useState(forwardRows);
  const [range, setRange] = useState<RowRange | null>(null);
  const [focusedRow, setFocused] = useState<number | null>(null);
  // A table that becomes long has rendered its rows already: they stay until the visible ones are known.
  const [wasLong] = useState(isLong);
  const isPainted = useIsPainted();

  const onRange = useCallback<VisibleRangeProps<unknown>["onRange"]>(
    (next, observe) => {
      observer.forwardTo(observe, body.current);
      setRange(next);
    },
    [observer],
  );

  function onFocus({ target }: FocusEvent) {
    const index = target.closest<HTMLElement>("tr[data-index]")?.dataset.index;
    setFocused(index === undefined ? null : Number(index));
  }

  const mostRows = isLong && wasLong ? SERVERS_FIRST_ROWS : rows.length;
  const shownRange = (isLong && range) || firstRange(rows.length, isPainted ? mostRows : countFirstRows());
  const rowNodes: ReactNode[] = [];
  let end = shownRange.top;
  for (const { index, start, end: next } of shownRange.rows) {
    const row = rows[index];
    if (row === undefined) continue;
    if (start > end) rowNodes.push(<Gap key={`before ${index}`} height={start - end} />);
    rowNodes.push(isLong ? draw(row, { index, observe: observer.observe }) : draw(row));
    end = next;
  }
  if (shownRange.bottom > end) rowNodes.push(<Gap key="after" height={shownRange.bottom - end} />);
  return (
    <tbody ref={body} role="rowgroup" onFocus={onFocus} onBlur={() => setFocused(null)}>
      {rowNodes}
      {isLong && (
        <VisibleRange
          body={body}
          rows={rows}
          rowId={rowId as (row: unknown) => string}
          focusedRow={focusedRow}
          onRange={onRange}
        />
      )}
    </tbody>
  );
}

/** Hands the rendered rows, as one function that doesn't change, to what observes them once that is loaded. */
function forwardRows() {
  let receive: ObserveRow | null = null;
  return {
    observe: (row: HTMLTableRowElement | null) => receive?.(row),
    forwardTo(next: ObserveRow, body: HTMLTableSectionElement | null): void {
      if (receive === next) return;
      receive = next;
      body?.querySelectorAll<HTMLTableRowElement>("tr[data-index]").forEach((row) => next(row));
    },
  };
}

/** The first rows, as if each had the usual height. */
function firstRange(count: number, most: number): RowRange {
  const rows = Array.from({ length: Math.min(count, most) }, (_, index) => ({
    index,
    start: index * ROW_PX,
    end: (index + 1) * ROW_PX,
  }));
  return { rows, top: 0, bottom: count * ROW_PX };
}

function AllRows({ rows, onRange }: VisibleRangeProps<unknown>) {
  const count = rows.length;
  useLayoutEffect(() => onRange(firstRange(count, count), () => {}), [count, onRange]);
  return null;
}
