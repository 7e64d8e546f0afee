import type { AuditLogReader } from "../../audit/audit-log-reader";

const creationEvents = ["api_key.created", "organization.created"];

/**
 * Returns whether a member created an admin key, directly or with another key that they created, according to the audit
 * log. Null if the log no longer has the event.
 */
export async function isKeyMadeBy(
  auditLog: Pick<AuditLogReader, "pages">,
  keyId: string,
  userId: string,
): Promise<boolean | null> {
  for (let id = keyId; ; ) {
    const [event] = await auditLog.pages({ types: creationEvents, resourceIds: [id] }).read({ limit: 1 });
    if (!event) return null;
    if (event.actor_user_id === userId) return true;
    if (event.actor_key_id === null) return false;
    id = event.actor_key_id;
  }
}
