import type { AuditActor } from "../audit/audit-context";
import type { UserMirror } from "../members/user-mirror";
import type { Caller } from "./caller";

/** The caller as the audit log names it. */
export function actorOf({ kind, id, keyId, holder }: Caller, userMirror: UserMirror): AuditActor {
  if (holder.kind !== "user") return { kind, id, keyId, userId: null, email: null };
  return { kind, id, keyId: null, userId: holder.id, email: userMirror.find(holder.id)?.email ?? null };
}
