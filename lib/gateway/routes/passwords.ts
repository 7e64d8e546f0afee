import { actorBehind, authorOf } from "../auth/actor-behind";
import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { Refusal } from "../ports/refusal";
import { excessOf, refuseExcessOf } from "../roles/change-access";
import { endOtherSessions } from "../sessions/end-session";
import type { AttemptLimiter } from "../sign-in/attempt-limiter";
import {
  createPasswordReset,
  invalidPasswordReset,
  type PasswordReset,
  type PasswordResetStore,
  usePasswordReset,
} from "../sign-in/password-resets";
import { refuseWeakPassword } from "../sign-in/refuse-weak-password";
import type { Handlers } from "./handler";
import { memberOf, notConfigured } from "./member-sign-in";
import type { SignInContext } from "./sign-in";
import { toUnixSeconds } from "./unix-seconds";

export interface PasswordContext extends SignInContext {
  readonly passwordResets: PasswordResetStore;
  /** Mails for new passwords, by address. */
  readonly resetMails: AttemptLimiter;
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
}

type Ids = "requestPasswordReset" | "createPasswordReset" | "usePasswordReset" | "changePassword";

export function passwordRoutes(context: PasswordContext): Handlers<Ids> {
  const { userBook, graph, credentialStore, effects, inTurn } = context;
  const set = async (user: UserRecord, password: string, keptSession: string | null) => {
    await credentialStore.setPassword(user, password, effects.clock.nowMs());
    await endOtherSessions(context, { kind: "user", id: user.id }, keptSession);
    return { object: "organization.password" as const, email: user.email };
  };
  return {
    requestPasswordReset: async ({ body }) => {
      mailPasswordReset(context, body.email.toLowerCase());
      return { object: "organization.password_reset.requested" };
    },
    createPasswordReset: ({ params: { user_id }, caller }) =>
      inTurn(async () => {
        findUser(userBook, user_id);
        refuseExcessOf(caller, graph.rolesOfUser(user_id));
        const reset = { userId: user_id, maker: authorOf(caller) };
        const { token, expiresAtMs } = await createPasswordReset(context, reset);
        const expires_at = toUnixSeconds(expiresAtMs);
        return { object: "organization.password_reset" as const, user_id, token, expires_at };
      }),
    // In turn with the changes of access: nobody is promoted between the link's check and the new password.
    usePasswordReset: ({ body: { token, password } }) =>
      inTurn(async () => {
        const { userId } = await usePasswordReset(context, token, (reset) => {
          refuseLostRight(context, reset);
          refuseWeakPassword(password, findUser(userBook, reset.userId).email);
        });
        return set(findUser(userBook, userId), password, null);
      }),
    changePassword: async ({ body, caller }) => {
      const user = memberOf(caller, userBook);
      await provePassword(context, user, body.current_password, "current_password");
      refuseWeakPassword(body.password, user.email);
      return set(user, body.password, caller.id);
    },
  };
}

/** What is asked of whoever makes a link is asked of them again. @throws Refusal 400 where they may no longer make it. */
function refuseLostRight(context: PasswordContext, { userId, maker }: PasswordReset): void {
  if (maker === null) return;
  const actor = actorBehind(context, maker);
  const mayMake = actor?.permissionsIn(null).has("api.users.write");
  const held = context.graph.rolesOfUser(userId);
  const isInReach = ({ role, assignment }: (typeof held)[number]) =>
    actor !== null && excessOf(actor, role.permissions, assignment.projectId) === null;
  if (!mayMake || !held.every(isInReach)) throw invalidPasswordReset();
}

/** Nobody learns whether an address is a member's, by the reply or by its time. */
function mailPasswordReset(context: PasswordContext, email: string): void {
  const { mailer, userBook, resetMails, consoleUrl, organization } = context;
  if (!mailer) {
    throw notConfigured(
      "No mail server is configured: ask an administrator for a link to set a new password.",
    );
  }
  resetMails.refuseExhausted(email);
  resetMails.count(email);
  const user = userBook.findByEmail(email);
  if (!user) return;
  const writing = createPasswordReset(context, { userId: user.id, maker: null });
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

/** @throws Refusal 400 where it is not the member's password, 429 after too many. */
export async function provePassword(
  { credentialStore, wrongPasswords, noteFailedSignIn }: SignInContext,
  user: UserRecord,
  password: string,
  param: string,
): Promise<void> {
  wrongPasswords.refuseExhausted(user.email);
  wrongPasswords.count(user.email);
  if (await credentialStore.verifyPassword(user.id, password)) return wrongPasswords.forget(user.email);
  noteFailedSignIn(user);
  const message = "This is not your current password.";
  throw new Refusal(400, "invalid_request_error", "invalid_credentials", message, { param });
}
