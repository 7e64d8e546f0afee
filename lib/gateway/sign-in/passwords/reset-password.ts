import type { Caller } from "../../access/caller";
import { resolveActor, toActorRef } from "../../access/resolve-actor";
import { type ChangeRequest, change } from "../../changes/change";
import { findManageableUser, findUser } from "../../people/members";
import { findLackedPermission } from "../../roles/actor";
import { countAttempt } from "../count-attempt";
import { rememberDevice } from "../devices";
import type { Mailer } from "../mailer";
import { notConfigured } from "../own-sign-in";
import type { SignInContext } from "../sign-in-context";
import type { Visitor } from "../visitor";
import { setPassword } from "./change-password";
import { hashPassword } from "./password-hash";
import {
  findPasswordReset,
  invalidPasswordReset,
  makeResetToken,
  type PasswordReset,
  type PasswordResetStore,
  type ResetToken,
  takePasswordReset,
} from "./password-resets";
import { refuseWeakPassword } from "./refuse-weak-password";

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
    return makeResetToken(context, transaction, { userId, maker: toActorRef(caller) });
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
  visitor: Visitor,
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
  await countAttempt(context, visitor, { what: "mail", email, userId: user?.id ?? null });
  if (!user) return;
  const writing = change(context, request, (transaction) =>
    makeResetToken(context, transaction, { userId: user.id, maker: null }),
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
  visitor: Visitor,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<{ email: string; deviceToken: string | null }> {
  const { userCache } = context;
  const passwordReset = await findPasswordReset(context, token);
  refuseLostRight(context, passwordReset);
  await refuseWeakPassword(password, findUser(userCache, passwordReset.userId).email);
  const passwordHash = await hashPassword(password);
  return change(context, request, async (transaction) => {
    const reset = await takePasswordReset(context, transaction, token);
    // The member may have gained permissions while the password was hashed.
    refuseLostRight(context, reset);
    const user = findUser(userCache, reset.userId);
    await setPassword(context, transaction, user, { passwordHash, visitor, keptSession: null });
    // A known device can sign in even while strangers use up the account's attempts.
    const deviceToken = await rememberDevice(context, transaction, visitor, user.id);
    return { email: user.email, deviceToken };
  });
}

/** @throws Refusal 400 if the maker could not make the link today. */
function refuseLostRight(context: PasswordContext, { userId, maker }: PasswordReset): void {
  if (maker === null) return;
  const actor = resolveActor(context, maker);
  const mayMake = actor?.permissionsIn(null).has("api.users.write");
  const heldRoles = context.graph.listUserRoles(userId);
  const isInReach = ({ role, assignment }: (typeof heldRoles)[number]) =>
    actor !== null && findLackedPermission(actor, role.permissions, assignment.projectId) === null;
  if (!mayMake || !heldRoles.every(isInReach)) throw invalidPasswordReset();
}
