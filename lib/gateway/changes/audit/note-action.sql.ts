import type { Transaction } from "../transaction";
import { within } from "../transactions.sql";
import type { AuditChange } from "./audit-event";

/** Names an object in the transaction's audit event, for actions on rows that no trigger records. */
export async function noteAction(
  transaction: Transaction,
  { object, id, project_id }: Pick<AuditChange, "object" | "id" | "project_id">,
): Promise<void> {
  const action = { object, id, subject_id: null, project_id, before: null, after: null };
  await within(transaction).insertInto("audit_pending").values(action).execute();
}
