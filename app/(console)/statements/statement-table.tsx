"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { countPlaces, formatCount } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";

interface StatementRow {
  /** All cells but the amount's. */
  readonly cells: readonly ReactNode[];
  /** A decimal string, shown in the last column. */
  readonly amount: string;
  /** Shows `+` on a positive amount. */
  readonly signed?: boolean;
}

type StatementTableProps = {
  caption: string;
  head: readonly string[];
  rows: readonly (StatementRow & { readonly id: string })[];
  total: StatementRow;
  /** Number of leading text columns. The others are numbers. */
  text?: number;
  /** Columns hidden on a phone, by index. */
  onlyWide?: readonly number[];
};

/** The rows of a long table that the screen shows until all are asked for. */
const FIRST_ROWS = 10;

/**
 * A table of a document, with amounts aligned on the decimal point. On the screen a long one is folded, so that its
 * total is at hand; paper has all rows.
 */
export function StatementTable({ caption, head, rows, total, text = 1, onlyWide = [] }: StatementTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const hasMore = rows.length > FIRST_ROWS + 1;
  const isFolded = (index: number) => hasMore && !showsAll && index >= FIRST_ROWS;
  const places = Math.max(...[...rows, total].map(({ amount }) => countPlaces(amount)));
  const buildClass = (column: number) =>
    classNames(
      "py-1.5",
      column > 0 && "pl-4",
      column < text ? "text-left wrap-anywhere" : "text-right",
      onlyWide.includes(column) && "max-sm:hidden",
    );
  return (
    <table className="statement-table w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b text-sm text-muted">
          {head.map((title, column) => (
            <th key={title} scope="col" className={classNames(buildClass(column), "font-normal")}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, ...row }, index) => (
          <Row key={id} {...{ row, head, places, buildClass }} isFolded={isFolded(index)} />
        ))}
        {hasMore && (
          <tr className="print:hidden">
            <td colSpan={head.length} className="py-1">
              <Button size="small" variant="ghost" onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? `Show only the first ${FIRST_ROWS}` : `Show all ${formatCount(rows.length)}`}
              </Button>
            </td>
          </tr>
        )}
      </tbody>
      <tfoot className="border-t font-semibold">
        <Row row={total} isFolded={false} {...{ head, places, buildClass }} />
      </tfoot>
    </table>
  );
}

type RowProps = {
  row: StatementRow;
  head: readonly string[];
  /** Decimal places of the table's longest amount. */
  places: number;
  buildClass: (column: number) => string;
  /** True for a row that only paper shows. */
  isFolded: boolean;
};

function Row({ row: { cells, amount, signed = false }, head, places, buildClass, isFolded }: RowProps) {
  const last = head.length - 1;
  return (
    <tr className={classNames("break-inside-avoid", isFolded && "hidden print:table-row")}>
      {head.slice(0, last).map((title, column) =>
        column === 0 ? (
          <th key={title} scope="row" className={classNames(buildClass(column), "[font-weight:inherit]")}>
            {cells[column]}
          </th>
        ) : (
          <td key={title} className={buildClass(column)}>
            {cells[column]}
          </td>
        ),
      )}
      <td className={buildClass(last)} data-missing-places={"0".repeat(places - countPlaces(amount))}>
        <Money amount={amount} isSigned={signed} />
      </td>
    </tr>
  );
}
