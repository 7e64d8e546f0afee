import { HOUR_MS } from "@/lib/contract/durations";
import { resolveActor } from "../access/authenticate";
import { type Caller, toActorRef } from "../access/caller";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { findManageableUser, findUser } from "../people/members";
import type { UserRecord } from "../people/user-store.sql";
import { Refusal } from "../refusal";
import { findLackedPermission } from "../roles/actor";
import { hashSecret, newToken } from "../secrets/secret";
import { countAttempt, hashDevice, rememberDevice, type SignInClient } from "./attempts";
import type { PasswordReset, PasswordResetStore } from "./credential-store.sql";
import type { Mailer } from "./mailer";
import { hashPassword } from "./password-hash";
import { notConfigured, reauthenticate, type SignInContext } from "./sign-in-context";
import { refuseWeakPassword } from "./weak-passwords";

/** Changes the caller's own password, and ends their other sessions. @throws Refusal 400, 429. */
export async function changePassword(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  caller: Caller,
  { current, password }: { readonly current: string; readonly password: string },
): Promise<UserRecord> {
  const user = await reauthenticate(context, request, caller, current, "current_password");
  await refuseWeakPassword(password, user.email);
  const passwordHash = await hashPassword(password);
  await change(context, request, (transaction) =>
    setPassword(context, transaction, user, { passwordHash, client, keptSession: caller.id }),
  );
  return user;
}

/**
 * Sets a password, within a change. Ends all other sessions and forgets all devices but the one in use, since somebody
 * else may have known the old password.
 */
async function setPassword(
  { credentialStore, sessions, devices, runtime }: SignInContext,
  transaction: Transaction,
  user: UserRecord,
  to: { readonly passwordHash: string; readonly client: SignInClient; readonly keptSession: string | null },
): Promise<void> {
  await credentialStore.setPassword(transaction, user, to.passwordHash, runtime.clock.nowMs());
  await sessions.deleteOthers(transaction, { kind: "user", id: user.id }, to.keptSession);
  await devices.forget(transaction, user.id, hashDevice(to.client));
}

/** The token of a link for a new password. */
interface ResetToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

const RESET_MS = HOUR_MS;

export interface PasswordContext extends SignInContext {
  readonly passwordResets: PasswordResetStore;
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly organization: { readonly name: string };
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
}

/**
 * Makes a link for a member's new password.
 * @throws Refusal 404; 403 for a member with more permissions than the caller.
 */
export function createPasswordReset(
  context: PasswordContext,
  request: ChangeRequest,
  caller: Caller,
  userId: string,
): Promise<ResetToken> {
  return change(context, request, (transaction) => {
    findManageableUser(context, caller, userId);
    return makeResetToken(context, transaction, { userId, createdBy: toActorRef(caller) });
  });
}

/**
 * Mails a link for a new password to an address, if it is a member's. Neither the reply nor its timing reveals whether
 * it is.
 * @throws Refusal 400 if no mail server is configured; 429.
 */
export async function mailPasswordReset(
  context: PasswordContext,
  request: ChangeRequest,
  client: SignInClient,
  address: string,
): Promise<void> {
  const { mailer, userCache, consoleUrl, organization } = context;
  if (!mailer) {
    throw notConfigured(
      "No mail server is configured: ask an administrator for a link to set a new password.",
    );
  }
  const email = address.toLowerCase();
  const user = userCache.findByEmail(email);
  await countAttempt(context, client, { what: "mail", email, userId: user?.id ?? null });
  if (user?.deactivatedAtMs !== null) return;
  const writing = change(context, request, (transaction) =>
    makeResetToken(context, transaction, { userId: user.id, createdBy: null }),
  );
  mailer.send(
    writing.then(({ token }) => ({
      to: email,
      subject: `Set a new password for ${organization.name}`,
      text: [
        `Somebody asked to set a new password for ${email} at ${organization.name}.`,
        "Open this link within an hour to choose one:",
        `${consoleUrl}/new-password#token=${token}`,
        "If it wasn't you, ignore this mail: the password stays as it is.",
      ].join("\n\n"),
    })),
  );
}

/**
 * Sets a new password with a link's token, and ends all sessions of its member. A weak password does not use up the
 * link.
 * @returns the member's address, and the token of a device that had none.
 * @throws Refusal 400 for the link or a weak password.
 */
export async function resetPassword(
  context: PasswordContext,
  request: ChangeRequest,
  client: SignInClient,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ email: string; deviceToken: string | null }> {
  const { passwordResets, userCache, runtime } = context;
  const hash = hashSecret(token);
  const found = await passwordResets.find(hash, runtime.clock.nowMs());
  if (!found || hasLostRight(context, found)) throw invalidPasswordReset();
  await refuseWeakPassword(password, findUser(userCache, found.userId).email);
  const passwordHash = await hashPassword(password);
  return change(context, request, async (transaction) => {
    const reset = await passwordResets.take(transaction, hash, runtime.clock.nowMs());
    // The member may have gained permissions while the password was hashed.
    if (!reset || hasLostRight(context, reset)) throw invalidPasswordReset();
    const user = findUser(userCache, reset.userId);
    await setPassword(context, transaction, user, { passwordHash, client, keptSession: null });
    // A known device can sign in even while strangers use up the account's attempts.
    const deviceToken = await rememberDevice(context, transaction, client, user.id);
    return { email: user.email, deviceToken };
  });
}

/** Makes a token, within a change: usable once within an hour, and the member's only one. */
async function makeResetToken(
  { passwordResets, runtime }: PasswordContext,
  transaction: Transaction,
  reset: PasswordReset,
): Promise<ResetToken> {
  const token = newToken("gp_", runtime.random);
  const createdAtMs = runtime.clock.nowMs();
  const expiresAtMs = createdAtMs + RESET_MS;
  await passwordResets.insert(transaction, { ...reset, hash: hashSecret(token), createdAtMs, expiresAtMs });
  return { token, expiresAtMs };
}

/** Whether the link's creator could not create it today. */
function hasLostRight(context: PasswordContext, { userId, createdBy }: PasswordReset): boolean {
  if (createdBy === null) return false;
  const actor = resolveActor(context, createdBy);
  if (!actor?.permissionsIn(null).has("api.users.write")) return true;
  return context.graph
    .listUserRoles(userId)
    .some(
      ({ role, assignment }) => findLackedPermission(actor, role.permissions, assignment.projectId) !== null,
    );
}

/** 400, worded the same for an unknown, used, expired, replaced or void token. */
function invalidPasswordReset(): Refusal {
  const message =
    "This link was used, has expired or was replaced, or somebody's rights have changed since. Ask for another.";
  return new Refusal(400, "invalid_request_error", "invalid_password_reset", message, { param: "token" });
}
