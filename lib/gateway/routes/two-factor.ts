import { findUser } from "../members/find-user";
import type { UserRecord } from "../members/user-store";
import { Refusal } from "../ports/refusal";
import { refuseExcessOf } from "../roles/change-access";
import { endOtherSessions } from "../sessions/end-session";
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
  const { userBook, graph, credentials, spentProofs, effects } = context;
  return {
    retrieveSignInSettings: async ({ caller }) => settingsOf(context, memberOf(caller, userBook)),
    startTwoFactor: async ({ caller, body: { password } }) => {
      const user = memberOf(caller, userBook);
      await provePassword(context, caller, user, password, "password");
      const { otpauthUri, backupCodes } = await credentials.startTwoFactor(user.id, password);
      return {
        object: "organization.two_factor.draft",
        otpauth_uri: otpauthUri,
        backup_codes: [...backupCodes],
      };
    },
    confirmTwoFactor: async ({ caller, body }) => {
      const user = memberOf(caller, userBook);
      if (!(await credentials.confirmTwoFactor(user.id, body.code))) throw wrongCode();
      await spentProofs.spend(user.id, `code ${body.code}`, effects.clock.nowMs());
      await endOtherSessions(context, { kind: "user", id: user.id }, caller.id);
      return settingsOf(context, user);
    },
    endTwoFactor: async ({ caller, body: { password } }) => {
      const user = memberOf(caller, userBook);
      await provePassword(context, caller, user, password, "password");
      await removeTwoFactor(context, user);
      return settingsOf(context, user);
    },
    deleteUserTwoFactor: async ({ caller, params: { user_id } }) => {
      const user = findUser(userBook, user_id);
      refuseExcessOf(caller, graph.rolesOfUser(user_id));
      await removeTwoFactor(context, user);
      return { object: "organization.two_factor.deleted", user_id, deleted: true };
    },
  };
}

/** @throws Refusal 404 where there is none. */
async function removeTwoFactor({ credentialStore, effects }: SignInContext, { id, email }: UserRecord) {
  if (await credentialStore.removeTwoFactor(id, effects.clock.nowMs())) return;
  const message = `Two-factor sign-in is not on for ${email}.`;
  throw new Refusal(404, "not_found_error", "object_not_found", message, { param: "user_id" });
}

function wrongCode(): Refusal {
  const message = "This code is wrong. Enter the six digits that the app shows now.";
  return new Refusal(400, "invalid_request_error", "invalid_code", message, { param: "code" });
}
