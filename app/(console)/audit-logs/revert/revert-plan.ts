import type { FieldChange } from "@/components/audit-log/describe-changes";
import type { OperationId } from "@/lib/contract/operation-table";

/** The operation that undoes an event, and the condition under which it does exactly that. */
export interface RevertPlan {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
  /** Builds the body from the current object; undefined for an operation without a body. */
  readonly body: ((now: Row) => unknown) | undefined;
  /**
   * The changed columns as the event left them; "absent" if it deleted the object. Null if the operation itself
   * refuses when the state differs.
   */
  readonly left: Row | "absent" | null;
  /** Converts the retrieved object to the log's columns. */
  readonly toColumns: (now: Row) => Row;
  /** The changes it will make, for display. */
  readonly changes: readonly FieldChange[];
}

/** A row of the log: values by column. */
export type Row = Readonly<Record<string, unknown>>;

/** How an object's columns are restored with the operation that normally changes it. */
export interface RestoreMethod {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, string>>;
  /** The columns that the operation can set. */
  readonly columns: readonly string[];
  /** The message for other columns. */
  readonly otherwise: string;
  /** `back` has the columns to restore, `now` the retrieved object. */
  readonly body: (back: Row, now: Row) => unknown;
  readonly toColumns: (now: Row) => Row;
  /** How an object that an event created is removed again. Absent where its own screen does that. */
  readonly remove?: Pick<RestoreMethod, "operation"> & { readonly params?: RestoreMethod["params"] };
  /** How an object that an event deleted is made again. Absent where more was lost than its row holds. */
  readonly remake?: Remake;
}

export interface Remake {
  /** Absent for the operation that changes the object, which also sets a missing one. */
  readonly operation?: OperationId;
  readonly params?: RestoreMethod["params"];
  readonly body: (deleted: Row, organization: { readonly currency: string }) => unknown;
}

/** Parses columns that are stored as JSON, for the operation's body. */
export const parseListColumns =
  (columns: readonly string[]) =>
  (back: Row): Row =>
    Object.fromEntries(
      Object.entries(back).map(([column, value]) => [
        column,
        columns.includes(column) && typeof value === "string" ? JSON.parse(value) : value,
      ]),
    );

export const NOT_RESTORABLE = "This can’t be reverted here. Change it on its own page.";
