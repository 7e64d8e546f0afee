import type { UserRecord } from "../members/user-store";
import type { Database } from "./database";

/** Leaves an event of a member in the audit log, though nothing of theirs has changed. */
export async function noteFailedSignIn(database: Database, { id, email }: UserRecord): Promise<void> {
  const change = { object: "users", id, subject_id: null, project_id: null, before: null };
  const after = JSON.stringify({ id, email });
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("audit_pending")
      .values({ ...change, after })
      .execute();
  });
}
