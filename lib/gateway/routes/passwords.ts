import { actorRefOf, resolveActor } from "../access/resolve-actor";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { excessOf, refuseExcessOf } from "../roles/change-access";
import { hashPassword } from "../sign-in/password-hash";
import {
  createPasswordReset,
  findPasswordReset,
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
  const { userMirror, graph } = context;
  return {
    requestPasswordReset: async ({ body, headers, address, request }) => {
      await mailPasswordReset(context, request, { headers, address }, body.email.toLowerCase());
      return { object: "organization.password_reset.requested" };
    },
    createPasswordReset: async ({ params: { user_id }, caller, request }) => {
      const { token, expiresAtMs } = await change(context, request, async (transaction) => {
        findUser(userMirror, user_id);
        refuseExcessOf(caller, graph.rolesOfUser(user_id));
        return createPasswordReset(context, transaction, { userId: user_id, maker: actorRefOf(caller) });
      });
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.password_reset", user_id, token, expires_at };
    },
    usePasswordReset: async ({ body: { token, password }, headers, address, request }) => {
      const found = await findPasswordReset(context, token);
      refuseLostRight(context, found);
      // A password that is refused leaves the link as good as it was.
      await refuseWeakPassword(password, findUser(userMirror, found.userId).email);
      const passwordHash = await hashPassword(password);
      return change(context, request, async (transaction) => {
        const reset = await usePasswordReset(context, transaction, token);
        // Somebody may have been promoted between the link's check and the new password.
        refuseLostRight(context, reset);
        const user = findUser(userMirror, reset.userId);
        await setPassword(context, transaction, user, { passwordHash, headers, keptSession: null });
        // Recovery goes on while strangers use up the attempts at the account.
        const device = await rememberDevice(context, transaction, { headers, address }, user.id);
        const done = { object: "organization.password" as const, email: user.email };
        return device === null ? done : { ...done, device_token: device };
      });
    },
    changePassword: async ({ body, caller, headers, request }) => {
      const user = memberOf(caller, userMirror);
      await provePassword(context, { caller, request }, user, body.current_password, "current_password");
      await refuseWeakPassword(body.password, user.email);
      const passwordHash = await hashPassword(body.password);
      await change(context, request, (transaction) =>
        setPassword(context, transaction, user, { passwordHash, headers, keptSession: caller.id }),
      );
      return { object: "organization.password", email: user.email };
    },
  };
}

/** Ends all sessions but one, and forgets all devices but the one that asks: whoever knew the old password may have used it. */
async function setPassword(
  { credentialStore, sessions, devices, effects }: PasswordContext,
  transaction: Transaction,
  user: UserRecord,
  to: { passwordHash: string; headers: Headers; keptSession: string | null },
): Promise<void> {
  await credentialStore.setPassword(transaction, user, to.passwordHash, effects.clock.nowMs());
  await sessions.deleteOthers(transaction, { kind: "user", id: user.id }, to.keptSession);
  await devices.forget(transaction, user.id, deviceOf(to.headers));
}

/** What is asked of whoever makes a link is asked of them again. @throws Refusal 400 where they may no longer make it. */
function refuseLostRight(context: PasswordContext, { userId, maker }: PasswordReset): void {
  if (maker === null) return;
  const actor = resolveActor(context, maker);
  const mayMake = actor?.permissionsIn(null).has("api.users.write");
  const held = context.graph.rolesOfUser(userId);
  const isInReach = ({ role, assignment }: (typeof held)[number]) =>
    actor !== null && excessOf(actor, role.permissions, assignment.projectId) === null;
  if (!mayMake || !held.every(isInReach)) throw invalidPasswordReset();
}

/** Nobody learns whether an address is a member's, by the reply or by its time. */
async function mailPasswordReset(
  context: PasswordContext,
  request: ChangeRequest,
  visitor: Visitor,
  email: string,
): Promise<void> {
  const { mailer, userMirror, consoleUrl, organization } = context;
  if (!mailer) {
    throw notConfigured(
      "No mail server is configured: ask an administrator for a link to set a new password.",
    );
  }
  const user = userMirror.findByEmail(email);
  await countAttempt(context, visitor, { what: "mail", email, userId: user?.id ?? null });
  if (!user) return;
  const writing = change(context, request, (transaction) =>
    createPasswordReset(context, transaction, { userId: user.id, maker: null }),
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
