import { DEVICE_HEADER } from "@/lib/contract/access/device-token";
import { roleWord } from "@/lib/contract/access/role-words";
import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { Organization } from "../../projects/organization-store.sql";
import type { RequestHeaders } from "../../request-headers";
import type { SignInClient } from "../../sign-in/attempts";
import { findUsableInvite, joinByInvite } from "../../sign-in/join-by-invite";
import type { Mailer } from "../../sign-in/mailer";
import {
  changePassword,
  createPasswordReset,
  mailPasswordReset,
  type PasswordContext,
  resetPassword,
} from "../../sign-in/passwords";
import { answerChallenge, type MemberSession, signIn } from "../../sign-in/sign-in";
import type { SignInContext } from "../../sign-in/sign-in-context";
import {
  endOwnSingleSignOn,
  endUserSingleSignOn,
  finishLink,
  finishSingleSignOn,
  type SingleSignOnAnswer,
  type StartedSingleSignOn,
  startLink,
  startSingleSignOn,
} from "../../sign-in/single-sign-on";
import {
  confirmTwoFactor,
  endOwnTwoFactor,
  endUserTwoFactor,
  readSignInSettings,
  startTwoFactor,
} from "../../sign-in/two-factor";
import type { Handlers, Input } from "../handler";
import { toSession } from "./sessions";

interface Context extends SignInContext {
  readonly organization: Organization;
  readonly mailer: Mailer | null;
}

type Ids = "retrieveSignInMethods" | "signIn" | "answerSignInChallenge" | "previewInvite" | "acceptInvite";

export function signInRoutes(context: Context): Handlers<Ids> {
  const { credentialStore, openIdProvider, mailer, graph, organization } = context;
  return {
    retrieveSignInMethods: async () => ({
      object: "organization.sign_in_methods",
      password: await credentialStore.hasAnyPassword(),
      single_sign_on: openIdProvider && { name: openIdProvider.name },
      password_reset_mail: mailer !== null,
    }),
    signIn: async ({ body, request, ...from }) => {
      const outcome = await signIn(context, request, readSignInClient(from), body);
      if ("session" in outcome) return toMemberSession(outcome);
      const { challenge, expiresAtMs } = outcome;
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.sign_in_challenge", challenge, expires_at };
    },
    answerSignInChallenge: async ({ body, request, ...from }) =>
      toMemberSession(await answerChallenge(context, request, readSignInClient(from), body)),
    previewInvite: async ({ body }) => {
      const { email, roleId, expiresAtMs } = await findUsableInvite(context, body.token);
      return {
        object: "organization.invite.preview",
        email,
        organization: { name: organization.name, logo: organization.logo },
        role: graph.findRole(roleId)?.name ?? roleWord(roleId),
        expires_at: toUnixSeconds(expiresAtMs),
      };
    },
    acceptInvite: async ({ body, request, ...from }) =>
      toMemberSession(await joinByInvite(context, request, readSignInClient(from), body)),
  };
}

/** A member's new session with its token, which is shown only this once. */
function toMemberSession({ deviceToken, ...session }: MemberSession) {
  return { ...toSession(session), ...(deviceToken !== null && { device_token: deviceToken }) };
}

function readSignInClient({
  headers,
  address,
}: {
  headers: RequestHeaders;
  address: string | null;
}): SignInClient {
  const deviceToken = headers.get(DEVICE_HEADER) || null;
  return { address, userAgent: headers.get("user-agent"), deviceToken };
}

type PasswordsIds = "requestPasswordReset" | "createPasswordReset" | "usePasswordReset" | "changePassword";

export function passwordRoutes(context: PasswordContext): Handlers<PasswordsIds> {
  return {
    requestPasswordReset: async ({ body, request, ...from }) => {
      await mailPasswordReset(context, request, readSignInClient(from), body.email);
      return { object: "organization.password_reset.requested" };
    },
    createPasswordReset: async ({ params: { user_id }, caller, request }) => {
      const { token, expiresAtMs } = await createPasswordReset(context, request, caller, user_id);
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.password_reset", user_id, token, expires_at };
    },
    usePasswordReset: async ({ body, request, ...from }) => {
      const { email, deviceToken } = await resetPassword(context, request, readSignInClient(from), body);
      const done = { object: "organization.password" as const, email };
      return deviceToken === null ? done : { ...done, device_token: deviceToken };
    },
    changePassword: async ({ body, caller, request, ...from }) => {
      const passwords = { current: body.current_password, password: body.password };
      const { email } = await changePassword(context, request, readSignInClient(from), caller, passwords);
      return { object: "organization.password", email };
    },
  };
}

type SingleSignOnIds =
  | "startSingleSignOn"
  | "finishSingleSignOn"
  | "startSingleSignOnLink"
  | "finishSingleSignOnLink"
  | "endSingleSignOn"
  | "deleteUserSingleSignOn";

export function singleSignOnRoutes(context: SignInContext): Handlers<SingleSignOnIds> {
  return {
    startSingleSignOn: async (call) => describe(await startSingleSignOn(context, readSignInClient(call))),
    finishSingleSignOn: async ({ body, request, ...from }) =>
      toMemberSession(await finishSingleSignOn(context, request, readSignInClient(from), toAnswer(body))),
    startSingleSignOnLink: async ({ caller, body, request }) =>
      describe(await startLink(context, request, caller, body.password)),
    finishSingleSignOnLink: async ({ caller, body, request }) => {
      await finishLink(context, request, caller, toAnswer(body));
      return readOwnSettings(context, caller);
    },
    endSingleSignOn: async ({ caller, body, request }) => {
      await endOwnSingleSignOn(context, request, caller, body.password);
      return readOwnSettings(context, caller);
    },
    deleteUserSingleSignOn: async ({ caller, params: { user_id }, request }) => {
      await endUserSingleSignOn(context, request, caller, user_id);
      return { object: "organization.single_sign_on.deleted", user_id, deleted: true };
    },
  };
}

function describe({ url, stateToken: state_token, expiresAtMs }: StartedSingleSignOn) {
  const expires_at = toUnixSeconds(expiresAtMs);
  return { object: "organization.single_sign_on" as const, url, state_token, expires_at };
}

function toAnswer(body: Input<"finishSingleSignOn">["body"]): SingleSignOnAnswer {
  const { state_token: stateToken, state, code, iss } = body;
  return { stateToken, state, code, iss: iss ?? null };
}

type TwoFactorIds =
  | "retrieveSignInSettings"
  | "startTwoFactor"
  | "confirmTwoFactor"
  | "endTwoFactor"
  | "deleteUserTwoFactor";

export function twoFactorRoutes(context: SignInContext): Handlers<TwoFactorIds> {
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
async function readOwnSettings(context: SignInContext, caller: Caller): Promise<SignInSettings> {
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
