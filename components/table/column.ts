import type { ReactNode } from "react";
import type { SortValue } from "./sort-rows";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers. */
  numeric?: boolean;
  /** The unit or currency of the whole column, once, in its head. */
  unit?: string | undefined;
  /** The API's name of the column, in the tooltip of its head. */
  apiName?: string;
  /**
   * On a phone, or where there is little room, the row becomes a block: `title` is its first line, `end` stands at the right of it,
   * `detail` (the default) is a labelled line below, `hidden` is left out.
   */
  phone?: "title" | "end" | "detail" | "hidden";
  /** Left out of a table of less than 976 px, where there is no room for every column. */
  wide?: boolean;
  /** Sortable by this value. */
  sortValue?: (row: Row) => SortValue;
  /** A Tailwind width, such as `w-40`. */
  width?: string;
};
