import type { Caller } from "../../access/caller";
import { type ChangeRequest, change } from "../../changes/change";
import type { Transaction } from "../../changes/transaction";
import type { UserRecord } from "../../people/user-store.sql";
import { hashDevice } from "../devices";
import { reauthenticate } from "../own-sign-in";
import type { SignInContext } from "../sign-in-context";
import type { Visitor } from "../visitor";
import { hashPassword } from "./password-hash";
import { refuseWeakPassword } from "./refuse-weak-password";

/** Changes the caller's own password, and ends their other sessions. @throws Refusal 400, 429. */
export async function changePassword(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  caller: Caller,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<UserRecord> {
  const user = await reauthenticate(context, request, caller, current, "current_password");
  await refuseWeakPassword(password, user.email);
  const passwordHash = await hashPassword(password);
  await change(context, request, (transaction) =>
    setPassword(context, transaction, user, { passwordHash, visitor, keptSession: caller.id }),
  );
  return user;
}

/**
 * Sets a password, within a change. Ends all other sessions and forgets all devices but the visitor's, since somebody
 * else may have known the old password.
 */
export async function setPassword(
  { credentialStore, sessions, devices, runtime }: SignInContext,
  transaction: Transaction,
  user: UserRecord,
  to: { readonly passwordHash: string; readonly visitor: Visitor; readonly keptSession: string | null },
): Promise<void> {
  await credentialStore.setPassword(transaction, user, to.passwordHash, runtime.clock.nowMs());
  await sessions.deleteOthers(transaction, { kind: "user", id: user.id }, to.keptSession);
  await devices.forget(transaction, user.id, hashDevice(to.visitor));
}
