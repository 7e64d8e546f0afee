import type { Transaction } from "../changes/transaction";
import type { UserRecord } from "../members/user-store";
import { within } from "./transactions";

/** Leaves an event of a member in the audit log, though nothing of theirs has changed. */
export async function noteFailedSignIn(transaction: Transaction, { id, email }: UserRecord): Promise<void> {
  const change = { object: "users", id, subject_id: null, project_id: null, before: null };
  const after = JSON.stringify({ id, email });
  await within(transaction)
    .insertInto("audit_pending")
    .values({ ...change, after })
    .execute();
}
