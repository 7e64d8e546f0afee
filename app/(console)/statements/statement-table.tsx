import { type ReactNode, useDeferredValue } from "react";
import { classNames } from "@/components/ui/class-names";
import { countPlaces } from "@/components/ui/values/group-digits";
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

/** More than fit on a screen. */
const FIRST_ROWS = 50;

/**
 * A table of a document, with amounts aligned on the decimal point. Renders all rows, so that it can be printed: those
 * further below a moment later, so that a long document is shown at once.
 */
export function StatementTable({ caption, head, rows, total, text = 1, onlyWide = [] }: StatementTableProps) {
  const shownRows = useDeferredValue(rows, rows.slice(0, FIRST_ROWS));
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
        {shownRows.map(({ id, ...row }) => (
          <Row key={id} {...{ row, head, places, buildClass }} />
        ))}
      </tbody>
      <tfoot className="border-t font-semibold">
        <Row row={total} {...{ head, places, buildClass }} />
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
};

function Row({ row: { cells, amount, signed = false }, head, places, buildClass }: RowProps) {
  const last = head.length - 1;
  return (
    <tr className="break-inside-avoid">
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
