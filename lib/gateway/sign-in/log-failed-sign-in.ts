import { FAILED_SIGN_IN } from "@/lib/contract/audit-events";
import { type ChangeContext, type ChangeRequest, change, requestAs } from "../changes/change";
import type { UserRecord } from "../members/user-store";
import type { CredentialStore } from "./credentials";

interface Context extends ChangeContext {
  readonly credentialStore: CredentialStore;
  readonly logFault: (where: string, error: unknown) => void;
}

/**
 * Writes to the audit log that a proof of a member's was wrong. The reply does not wait for it: its time would tell whether
 * the address is a member's.
 */
export function logFailedSignIn(context: Context, request: ChangeRequest, user: UserRecord): void {
  const noted = change(context, requestAs(FAILED_SIGN_IN, request), (transaction) =>
    context.credentialStore.logFailedSignIn(transaction, user),
  );
  noted.catch((error: unknown) => context.logFault("audit log", error));
}
