import type { ReactNode } from "react";
import { Badge } from "@/components/ui/status";
import type { SortValue } from "./sort-rows";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers. */
  numeric?: boolean;
  /** The amount in the cell, if it has one: all amounts of the column are aligned on the decimal point. */
  amount?: (row: Row) => string | null | undefined;
  /** The unit or currency of the whole column, shown in its head. */
  unit?: string | undefined;
  /** Puts the unit on a line of its own, for tables with many columns. */
  unitBelow?: boolean;
  /** The API's name, shown as the tooltip of the head. */
  apiName?: string;
  /**
   * The position of this cell if the row is a block (on a phone or in a narrow space): `title` is the first line, `end`
   * is at its right, `detail` (default) is a labeled line below, `note` one without a label, and `hidden` is named
   * below the list.
   */
  phone?: "title" | "end" | "detail" | "note" | "hidden";
  /** Left out, and named below, if the table is narrower than 960 px. */
  wide?: boolean;
  /** Holds a control, such as a checkbox: never the row's link. */
  isControl?: boolean;
  /** Stands in the head in place of its words, such as a checkbox for all rows. */
  head?: ReactNode;
  /** The gateway sorts by it, under the column's id. */
  isOrdered?: boolean;
  /** Makes the column sortable by this value. */
  sortValue?: (row: Row) => SortValue;
  /** A Tailwind width, such as `w-40`. */
  width?: string;
};

type Person = { id: string; name: string; email: string; deactivated_at?: number | null };

/**
 * The name and address of members.
 * @param ownId the signed-in member, who is marked.
 */
export function personColumns<Row extends Person>(ownId: string | null = null): readonly Column<Row>[] {
  return [
    {
      id: "name",
      header: "Name",
      sortValue: ({ name }) => name,
      cell: ({ id, name, deactivated_at: deactivatedAt }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
          {name}
          {id === ownId && <Badge>you</Badge>}
          {deactivatedAt && <Badge>deactivated</Badge>}
        </span>
      ),
    },
    {
      id: "email",
      header: "Email",
      sortValue: ({ email }) => email,
      cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
    },
  ];
}
