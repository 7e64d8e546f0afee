import { roleWord } from "@/lib/contract/role-words";
import type { SessionContext } from "../access/start-session";
import { type ChangeRequest, change, ownChange } from "../changes/change";
import type { UserRecord } from "../members/user-store";
import { Refusal } from "../refusal";
import type { CredentialStore, Credentials, SpentProofs } from "../sign-in/credentials";
import type { IdentityStore } from "../sign-in/identities";
import type { Mailer } from "../sign-in/mailer";
import { refuseWeakPassword } from "../sign-in/refuse-weak-password";
import { type AdmitContext, admitMember, findInvite } from "./admit-member";
import { enter } from "./enter";
import type { Handlers } from "./handler";
import type { NoteFailedSignIn } from "./member-sign-in";
import type { Organization } from "./sessions";
import { type AttemptContext, countAttempt, type Visitor } from "./sign-in-attempts";
import { toUnixSeconds } from "./unix-seconds";

export interface SignInContext extends SessionContext, AdmitContext, AttemptContext {
  readonly organization: Organization;
  readonly credentials: Credentials;
  readonly credentialStore: CredentialStore;
  readonly spentProofs: SpentProofs;
  readonly identities: IdentityStore;
  readonly noteFailedSignIn: NoteFailedSignIn;
  readonly openIdProvider: { readonly name: string } | null;
  readonly mailer: Mailer | null;
}

type Ids = "retrieveSignInMethods" | "signIn" | "answerSignInChallenge" | "previewInvite" | "acceptInvite";

export function signInRoutes(context: SignInContext): Handlers<Ids> {
  const { credentials, credentialStore, openIdProvider, mailer, graph, organization } = context;
  return {
    retrieveSignInMethods: async () => ({
      object: "organization.sign_in_methods",
      password: await credentialStore.hasAnyPassword(),
      single_sign_on: openIdProvider && { name: openIdProvider.name },
      password_reset_mail: mailer !== null,
    }),
    signIn: async ({ body, headers, address, request }) => {
      const visitor = { headers, address };
      const { id } = await checkPassword(context, request, visitor, body.email.toLowerCase(), body.password);
      const record = await credentialStore.find(id);
      if (!record?.hasTwoFactor) return enter(context, request, visitor, id);
      const { challenge, expiresAtMs } = credentials.createChallenge(id);
      const expires_at = toUnixSeconds(expiresAtMs);
      return { object: "organization.sign_in_challenge", challenge, expires_at };
    },
    answerSignInChallenge: async ({ body, headers, address, request }) => {
      const visitor = { headers, address };
      const userId = await checkCode(context, request, visitor, body);
      return enter(context, request, visitor, userId);
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
    acceptInvite: async ({ body: { token, name, password }, headers, address, request }) => {
      const invite = await findInvite(context, token);
      await refuseWeakPassword(password, invite.email);
      const { id } = await admitMember(context, request, invite, { name, password });
      return enter(context, request, { headers, address }, id);
    },
  };
}

/** @throws Refusal 401 in the same words for an unknown address, 429 after too many. */
async function checkPassword(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  email: string,
  password: string,
): Promise<UserRecord> {
  const { credentialStore, userMirror, noteFailedSignIn } = context;
  const user = userMirror.findByEmail(email);
  const userId = user?.id ?? null;
  const attempt = await countAttempt(context, visitor, { what: "password", email, userId });
  const isRight = await credentialStore.verifyPassword(userId, password);
  if (user && isRight) {
    await attempt.takeBack();
    return user;
  }
  if (user) noteFailedSignIn(request, user);
  const message = "The email address or the password is wrong.";
  throw new Refusal(401, "authentication_error", "invalid_credentials", message, { param: "password" });
}

/** @returns the member's id. @throws Refusal 401, 429 after too many. */
async function checkCode(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  { challenge, code }: { challenge: string; code: string },
): Promise<string> {
  const { credentials, spentProofs, userMirror, noteFailedSignIn, effects } = context;
  const spend = (userId: string, proof: string) =>
    ownChange(context, "sign-in bookkeeping", (transaction) =>
      spentProofs.spend(transaction, userId, proof, effects.clock.nowMs()),
    );
  const known = credentials.readChallenge(challenge);
  const user = known && userMirror.find(known.userId);
  const proof = `challenge ${known?.id}`;
  if (!user || (await spentProofs.isSpent(user.id, proof))) throw spentChallenge();
  const attempt = await countAttempt(context, visitor, { what: "code", email: user.email, userId: user.id });
  const isRight = await credentials.checkCode((work) => change(context, request, work), user.id, code);
  // RFC 6238, 5.2: a code that was accepted is not accepted again, nor beside itself.
  if (isRight && (await spend(user.id, `code ${code}`))) {
    if (!(await spend(user.id, proof))) throw spentChallenge();
    await attempt.takeBack();
    return user.id;
  }
  noteFailedSignIn(request, user);
  const message = "This code is wrong or was used already. Enter the one that the app shows now.";
  throw new Refusal(401, "authentication_error", "invalid_code", message, { param: "code" });
}

function spentChallenge(): Refusal {
  const message = "This sign-in has expired or was completed already. Begin again with your password.";
  return new Refusal(401, "authentication_error", "invalid_challenge", message, { param: "challenge" });
}
