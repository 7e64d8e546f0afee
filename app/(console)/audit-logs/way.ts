import type { OperationId } from "@/lib/contract/operation-table";

/** A row of the log: values by column. */
export type Row = Readonly<Record<string, unknown>>;

/** How an object's columns are set back by the operation that people change it with. */
export interface Way {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
  /** Those that the operation can set. */
  readonly columns: readonly string[];
  /** What to say of the others. */
  readonly otherwise: string;
  /** `back` are the columns to set; `now` is the object as it was retrieved. */
  readonly body: (back: Row, now: Row) => unknown;
  readonly columnsOf: (now: Row) => Row;
}

/** Columns that are stored as JSON, as operations take them. */
export const listed =
  (columns: readonly string[]) =>
  (back: Row): Row =>
    Object.fromEntries(
      Object.entries(back).map(([column, value]) => [
        column,
        columns.includes(column) && typeof value === "string" ? JSON.parse(value) : value,
      ]),
    );

export const ELSEWHERE = "This can't be put back from here. Change it on its own screen.";
