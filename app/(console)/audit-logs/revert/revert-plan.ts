import type { FieldChange } from "@/components/audit-log/describe-changes";
import type { OperationId } from "@/lib/contract/operation-table";
import type { Row } from "./restore-method";

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
