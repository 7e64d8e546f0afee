import { actorBehind, authorOf } from "../auth/actor-behind";
import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { excessOf, refuseExcessOf } from "../roles/change-access";
import { endOtherSessions } from "../sessions/end-session";
import {
  createPasswordReset,
  invalidPasswordReset,
  type PasswordReset,
  type PasswordResetStore,
  usePasswordReset,
} from "../sign-in/password-resets";
import { refuseWeakPassword } from "../sign-in/refuse-weak-password";
import type { Handlers } from "./handler";
import { memberOf, notConfigured, provePassword } from "./member-sign-in";
import type { SignInContext } from "./sign-in";
import { countAttempt, deviceOf, rememberDevice, type Visitor } from "./sign-in-attempts";
import { toUnixSeconds } from "./unix-seconds";

export interface PasswordContext extends SignInContext {
  readonly passwordResets: PasswordResetStore;
  /** The console's address, without a trailing slash. */
  readonly consoleUrl: string;
}

type Ids = "requestPasswordReset" | "createPasswordReset" | "usePasswordReset" | "changePassword";

export function passwordRoutes(context: PasswordContext): Handlers<Ids> {
  const { userBook, graph, credentialStore, devices, effects, inTurn } = context;
  const set = async (user: UserRecord, password: string, headers: Headers, keptSession: string | null) => {
    await credentialStore.setPassword(user, password, effects.clock.nowMs());
    await endOtherSessions(context, { kind: "user", id: user.id }, keptSession);
    // Whoever knew the old password may have signed in with it elsewhere.
    await devices.forget(user.id, deviceOf(headers));
    return { object: "organization.password" as const, email: user.email };
  };
  return {
    requestPasswordReset: async ({ body, headers, address }) => {
      await mailPasswordReset(context, { headers, address }, body.email.toLowerCase());
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
    usePasswordReset: ({ body: { token, password }, headers, address }) =>
      inTurn(async () => {
        const { userId } = await usePasswordReset(context, token, async (reset) => {
          refuseLostRight(context, reset);
          await refuseWeakPassword(password, findUser(userBook, reset.userId).email);
        });
        const done = await set(findUser(userBook, userId), password, headers, null);
        // Recovery goes on while strangers use up the attempts at the account.
        const device = await rememberDevice(context, { headers, address }, userId);
        return device === null ? done : { ...done, device_token: device };
      }),
    changePassword: async ({ body, caller, headers }) => {
      const user = memberOf(caller, userBook);
      await provePassword(context, caller, user, body.current_password, "current_password");
      await refuseWeakPassword(body.password, user.email);
      return set(user, body.password, headers, caller.id);
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
async function mailPasswordReset(context: PasswordContext, visitor: Visitor, email: string): Promise<void> {
  const { mailer, userBook, consoleUrl, organization } = context;
  if (!mailer) {
    throw notConfigured(
      "No mail server is configured: ask an administrator for a link to set a new password.",
    );
  }
  const user = userBook.findByEmail(email);
  await countAttempt(context, visitor, { what: "mail", email, userId: user?.id ?? null });
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
