import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";
import type { Caller } from "../../access/caller";
import type { SignInContext } from "../../sign-in/sign-in-context";
import {
  confirmTwoFactor,
  endOwnTwoFactor,
  endUserTwoFactor,
  readSignInSettings,
  startTwoFactor,
} from "../../sign-in/two-factor";
import type { Handlers } from "../handler";

type Ids =
  | "retrieveSignInSettings"
  | "startTwoFactor"
  | "confirmTwoFactor"
  | "endTwoFactor"
  | "deleteUserTwoFactor";

export function twoFactorRoutes(context: SignInContext): Handlers<Ids> {
  return {
    retrieveSignInSettings: ({ caller }) => readOwnSettings(context, caller),
    startTwoFactor: async ({ caller, body, request }) => {
      const { otpauthUri, backupCodes } = await startTwoFactor(context, request, caller, body.password);
      const backup_codes = [...backupCodes];
      return { object: "organization.two_factor.draft", otpauth_uri: otpauthUri, backup_codes };
    },
    confirmTwoFactor: async ({ caller, body, request }) => {
      await confirmTwoFactor(context, request, caller, body.code);
      return readOwnSettings(context, caller);
    },
    endTwoFactor: async ({ caller, body, request }) => {
      await endOwnTwoFactor(context, request, caller, body.password);
      return readOwnSettings(context, caller);
    },
    deleteUserTwoFactor: async ({ caller, params: { user_id }, request }) => {
      await endUserTwoFactor(context, request, caller, user_id);
      return { object: "organization.two_factor.deleted", user_id, deleted: true };
    },
  };
}

/** How the caller signs in, after a change. */
export async function readOwnSettings(context: SignInContext, caller: Caller): Promise<SignInSettings> {
  const settings = await readSignInSettings(context, caller);
  return {
    object: "organization.sign_in_settings",
    email: settings.email,
    password: settings.hasPassword,
    two_factor: settings.hasTwoFactor,
    backup_codes_left: settings.backupCodesLeft,
    single_sign_on: settings.hasSingleSignOn,
  };
}
