import type { ReactNode } from "react";
import type { Column } from "./column";

type ActionsColumn<Row> = {
  /** A Tailwind width that fits the actions, such as `w-24`. */
  width: string;
  cell: (row: Row) => ReactNode;
};

/** The last column of a list: what can be done with a row. */
export function actionsColumn<Row>({ width, cell }: ActionsColumn<Row>): Column<Row> {
  return {
    id: "actions",
    header: "Actions",
    width,
    numeric: true,
    phone: "end",
    cell: (row) => (
      <span className="relative z-1 flex justify-end gap-1 pointer-coarse:gap-0">{cell(row)}</span>
    ),
  };
}
