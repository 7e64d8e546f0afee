import { auditEvents } from "@/lib/contract/audit-events";
import { roleWord } from "@/lib/contract/role-words";
import { auditedAs } from "../audit/audit-context";
import { Refusal } from "../ports/refusal";
import { type SessionContext, startSession } from "../sessions/start-session";
import type { AttemptLimiter } from "../sign-in/attempt-limiter";
import type { CredentialStore, Credentials } from "../sign-in/credentials";
import type { Mailer } from "../sign-in/mailer";
import { refuseWeakPassword } from "../sign-in/refuse-weak-password";
import { type AdmitContext, admitMember, findInvite } from "./admit-member";
import type { Handlers } from "./handler";
import { type NoteFailedSignIn, notConfigured } from "./member-sign-in";
import { type Organization, toSession } from "./sessions";
import { toUnixSeconds } from "./unix-seconds";

export interface SignInContext extends SessionContext, AdmitContext {
  readonly organization: Organization;
  readonly credentials: Credentials;
  readonly credentialStore: CredentialStore;
  /** Wrong passwords and codes, by address. */
  readonly wrongPasswords: AttemptLimiter;
  readonly noteFailedSignIn: NoteFailedSignIn;
  readonly openIdProvider: { readonly name: string } | null;
  readonly mailer: Mailer | null;
}

type Ids =
  | "retrieveSignInMethods"
  | "signIn"
  | "answerSignInChallenge"
  | "startSingleSignOn"
  | "finishSingleSignOn"
  | "previewInvite"
  | "acceptInvite";

export function signInRoutes(context: SignInContext): Handlers<Ids> {
  const { credentials, credentialStore, openIdProvider, mailer, graph, organization } = context;
  const enter = async (userId: string, headers: Headers) =>
    auditedAs(auditEvents.signIn, async () =>
      toSession(await startSession(context, { kind: "user", id: userId }, headers.get("user-agent"))),
    );
  return {
    retrieveSignInMethods: async () => ({
      object: "organization.sign_in_methods",
      password: await credentialStore.hasAnyPassword(),
      single_sign_on: openIdProvider && { name: openIdProvider.name },
      password_reset_mail: mailer !== null,
    }),
    signIn: async ({ body, headers }) => {
      const verdict = await checkPassword(context, body.email.toLowerCase(), body.password);
      if (verdict.kind === "member") return enter(verdict.userId, headers);
      const { challenge, expiresAtMs } = verdict;
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.sign_in_challenge", challenge, expires_at };
    },
    answerSignInChallenge: async ({ body, headers }) =>
      enter(await checkCode(context, body.challenge, body.code), headers),
    startSingleSignOn: async () => {
      if (!openIdProvider)
        throw notConfigured("Single sign-on is not configured: set GATEHOUSE_OIDC_ISSUER.");
      const start = await credentials.startSingleSignOn();
      if (!start) throw providerAway(openIdProvider.name);
      const { url, stateToken: state_token, expiresAtMs } = start;
      return {
        object: "organization.single_sign_on",
        url,
        state_token,
        expires_at: toUnixSeconds(expiresAtMs),
      };
    },
    finishSingleSignOn: async ({ body: { state_token: stateToken, state, code, iss = null }, headers }) => {
      const member = await credentials.finishSingleSignOn({ stateToken, state, code, iss });
      if (!member) throw notVouchedFor();
      return enter(member.userId, headers);
    },
    previewInvite: async ({ body }) => {
      const { email, roleId, expiresAtMs } = await findInvite(context, body.token);
      return {
        object: "organization.invite.preview",
        email,
        organization: { name: organization.name },
        role: graph.findRole(roleId)?.name ?? roleWord(roleId),
        expires_at: toUnixSeconds(expiresAtMs),
      };
    },
    acceptInvite: async ({ body: { token, name, password }, headers }) => {
      const invite = await findInvite(context, token);
      refuseWeakPassword(password, invite.email);
      const { id } = await admitMember(context, invite, { name, password });
      return enter(id, headers);
    },
  };
}

/** @throws Refusal 401 in the same words for an unknown address, 429 after too many. */
async function checkPassword(
  { credentials, wrongPasswords, userBook, noteFailedSignIn }: SignInContext,
  email: string,
  password: string,
) {
  wrongPasswords.refuseExhausted(email);
  // Counted first: tries made at once count too.
  wrongPasswords.count(email);
  const verdict = await credentials.checkPassword(email, password);
  if (verdict.kind !== "refused") {
    wrongPasswords.forget(email);
    return verdict;
  }
  const user = userBook.findByEmail(email);
  if (user) noteFailedSignIn(user);
  const message = "The email address or the password is wrong.";
  throw new Refusal(401, "authentication_error", "invalid_credentials", message, { param: "password" });
}

/** @returns the member's id. @throws Refusal 401. */
async function checkCode(
  { credentials, userBook, noteFailedSignIn }: SignInContext,
  challenge: string,
  code: string,
): Promise<string> {
  const verdict = await credentials.answerChallenge(challenge, code);
  if (verdict.kind === "member") return verdict.userId;
  if (verdict.kind === "spent") {
    const message = "This sign-in has expired or was tried too often. Begin again with your password.";
    throw new Refusal(401, "authentication_error", "invalid_challenge", message, { param: "challenge" });
  }
  const user = userBook.find(verdict.userId);
  if (user) noteFailedSignIn(user);
  const message = "This code is wrong or was used already. Enter the one that the app shows now.";
  throw new Refusal(401, "authentication_error", "invalid_code", message, { param: "code" });
}

function providerAway(name: string): Refusal {
  const message = `${name} can't be reached for signing in. Try again, or sign in another way.`;
  return new Refusal(502, "service_error", "provider_error", message);
}

function notVouchedFor(): Refusal {
  const message =
    "The sign-in was not completed: it was begun elsewhere or too long ago, or nobody under this address is a member or invited.";
  return new Refusal(401, "authentication_error", "sign_in_failed", message);
}
