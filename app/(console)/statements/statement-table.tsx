import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";

type StatementTableProps = {
  caption: string;
  head: readonly string[];
  rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
  total: readonly ReactNode[];
  /** Number of leading text columns. The others are numbers. */
  text?: number;
  /** Columns hidden on a phone, by index. */
  onlyWide?: readonly number[];
};

/** A table of a document. Renders all rows, so that it can be printed. */
export function StatementTable({ caption, head, rows, total, text = 1, onlyWide = [] }: StatementTableProps) {
  const classOf = (column: number) =>
    classNames(
      "py-1.5",
      column > 0 && "pl-4",
      column < text ? "text-left wrap-anywhere" : "text-right",
      onlyWide.includes(column) && "max-sm:hidden",
    );
  return (
    <table className="w-full">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b text-sm text-muted">
          {head.map((title, column) => (
            <th key={title} scope="col" className={classNames(classOf(column), "font-normal")}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <Row key={id} cells={cells} head={head} classOf={classOf} />
        ))}
      </tbody>
      <tfoot className="border-t font-semibold">
        <Row cells={total} head={head} classOf={classOf} />
      </tfoot>
    </table>
  );
}

type RowProps = {
  cells: readonly ReactNode[];
  head: readonly string[];
  classOf: (column: number) => string;
};

function Row({ cells, head, classOf }: RowProps) {
  return (
    <tr className="break-inside-avoid">
      {head.map((title, column) =>
        column === 0 ? (
          <th key={title} scope="row" className={classNames(classOf(column), "[font-weight:inherit]")}>
            {cells[column]}
          </th>
        ) : (
          <td key={title} className={classOf(column)}>
            {cells[column]}
          </td>
        ),
      )}
    </tr>
  );
}
