import { type ChangeRequest, change } from "../changes/change";
import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { Refusal } from "../refusal";
import { refuseExcessOf } from "../roles/change-access";
import type { Write } from "../sign-in/credentials";
import type { Handlers } from "./handler";
import { memberOf, provePassword, settingsOf } from "./member-sign-in";
import type { SignInContext } from "./sign-in";

type Ids =
  | "retrieveSignInSettings"
  | "startTwoFactor"
  | "confirmTwoFactor"
  | "endTwoFactor"
  | "deleteUserTwoFactor";

export function twoFactorRoutes(context: SignInContext): Handlers<Ids> {
  const { userMirror, graph, credentials, spentProofs, sessions, effects } = context;
  const writing =
    (request: ChangeRequest): Write =>
    (work) =>
      change(context, request, work);
  return {
    retrieveSignInSettings: async ({ caller }) => settingsOf(context, memberOf(caller, userMirror)),
    startTwoFactor: async ({ caller, body: { password }, request }) => {
      const user = memberOf(caller, userMirror);
      await provePassword(context, { caller, request }, user, password, "password");
      const { otpauthUri, backupCodes } = await credentials.startTwoFactor(writing(request), user.id);
      return {
        object: "organization.two_factor.draft",
        otpauth_uri: otpauthUri,
        backup_codes: [...backupCodes],
      };
    },
    confirmTwoFactor: async ({ caller, body, request }) => {
      const user = memberOf(caller, userMirror);
      if (!(await credentials.confirmTwoFactor(writing(request), user.id, body.code))) throw wrongCode();
      await change(context, request, async (transaction) => {
        await spentProofs.spend(transaction, user.id, `code ${body.code}`, effects.clock.nowMs());
        await sessions.deleteOthers(transaction, { kind: "user", id: user.id }, caller.id);
      });
      return settingsOf(context, user);
    },
    endTwoFactor: async ({ caller, body: { password }, request }) => {
      const user = memberOf(caller, userMirror);
      await provePassword(context, { caller, request }, user, password, "password");
      await removeTwoFactor(context, request, () => user);
      return settingsOf(context, user);
    },
    deleteUserTwoFactor: async ({ caller, params: { user_id }, request }) => {
      await removeTwoFactor(context, request, () => {
        const user = findUser(userMirror, user_id);
        refuseExcessOf(caller, graph.rolesOfUser(user_id));
        return user;
      });
      return { object: "organization.two_factor.deleted", user_id, deleted: true };
    },
  };
}

/** @throws Refusal 404 where there is none, and what `find` throws. */
function removeTwoFactor(context: SignInContext, request: ChangeRequest, find: () => UserRecord) {
  const { credentialStore, effects } = context;
  return change(context, request, async (transaction) => {
    const { id, email } = find();
    if (await credentialStore.removeTwoFactor(transaction, id, effects.clock.nowMs())) return;
    const message = `Two-factor sign-in is not on for ${email}.`;
    throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "user_id" });
  });
}

function wrongCode(): Refusal {
  const message = "This code is wrong. Enter the six digits that the app shows now.";
  return new Refusal(400, "invalid_request_error", "invalid_code", message, { param: "code" });
}
