import { otherEvents } from "@/lib/contract/access/audit-events";
import { type ChangeContext, type ChangeRequest, change, withEventType } from "../changes/change";
import type { UserRecord } from "../people/user-store.sql";
import type { CredentialStore } from "./credentials";

interface Context extends ChangeContext {
  readonly credentialStore: CredentialStore;
  readonly logFault: (where: string, error: unknown) => void;
}

/**
 * Records a member's failed sign-in in the audit log. The reply does not wait for it, since the delay would reveal that
 * the address is a member's.
 */
export function logFailedSignIn(context: Context, request: ChangeRequest, user: UserRecord): void {
  const noted = change(context, withEventType(otherEvents.failedSignIn, request), (transaction) =>
    context.credentialStore.logFailedSignIn(transaction, user),
  );
  noted.catch((error: unknown) => context.logFault("audit log", error));
}
