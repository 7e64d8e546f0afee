import { type ChangeRequest, change, systemChange } from "../changes/change";
import type { UserRecord } from "../people/user-store.sql";
import { Refusal } from "../refusal";
import { countAttempt } from "./count-attempt";
import { logFailedSignIn } from "./log-failed-sign-in";
import type { SignInContext } from "./sign-in-context";
import { type MemberSession, startMemberSession } from "./start-member-session";
import type { Visitor } from "./visitor";

/** What a client sends to complete a sign-in with the second factor. */
interface SignInChallenge {
  readonly challenge: string;
  readonly expiresAtMs: number;
}

/**
 * Signs a member in with their password. With a second factor it returns a challenge instead of a session.
 * @throws Refusal 401, worded the same for an unknown address; 429 after too many attempts.
 */
export async function signIn(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<MemberSession | SignInChallenge> {
  const { id } = await checkPassword(context, request, visitor, email.toLowerCase(), password);
  const record = await context.credentialStore.find(id);
  return record?.hasTwoFactor
    ? context.credentials.createChallenge(id)
    : startMemberSession(context, request, visitor, id);
}

/** Completes a sign-in with a code. @throws Refusal 401; 429 after too many attempts. */
export async function answerChallenge(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  answer: { readonly challenge: string; readonly code: string },
): Promise<MemberSession> {
  const { id } = await checkCode(context, request, visitor, answer);
  return startMemberSession(context, request, visitor, id);
}

async function checkPassword(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  email: string,
  password: string,
): Promise<UserRecord> {
  const { credentialStore, userCache } = context;
  const user = userCache.findByEmail(email);
  const userId = user?.id ?? null;
  const attempt = await countAttempt(context, visitor, { what: "password", email, userId });
  const isRight = await credentialStore.verifyPassword(userId, password);
  if (user && isRight) {
    await attempt.takeBack();
    return user;
  }
  if (user) logFailedSignIn(context, request, user);
  const message = "The email address or the password is wrong.";
  throw new Refusal(401, "authentication_error", "invalid_credentials", message, { param: "password" });
}

async function checkCode(
  context: SignInContext,
  request: ChangeRequest,
  visitor: Visitor,
  { challenge: sealedChallenge, code }: { readonly challenge: string; readonly code: string },
): Promise<UserRecord> {
  const { credentials, usedCodes, userCache, runtime } = context;
  const spend = (userId: string, proof: string) =>
    systemChange(context, "sign-in bookkeeping", (transaction) =>
      usedCodes.use(transaction, userId, proof, runtime.clock.nowMs()),
    );
  const openedChallenge = credentials.readChallenge(sealedChallenge);
  const user = openedChallenge && userCache.find(openedChallenge.userId);
  const proof = `challenge ${openedChallenge?.id}`;
  if (!user || (await usedCodes.isUsed(user.id, proof))) throw spentChallenge();
  const attempt = await countAttempt(context, visitor, { what: "code", email: user.email, userId: user.id });
  const isRight = await credentials.checkCode((work) => change(context, request, work), user.id, code);
  // A code is accepted once, even when it is sent twice at the same time (RFC 6238, 5.2).
  if (isRight && (await spend(user.id, `code ${code}`))) {
    if (!(await spend(user.id, proof))) throw spentChallenge();
    await attempt.takeBack();
    return user;
  }
  logFailedSignIn(context, request, user);
  const message = "This code is wrong or was used already. Enter the one that the app shows now.";
  throw new Refusal(401, "authentication_error", "invalid_code", message, { param: "code" });
}

function spentChallenge(): Refusal {
  const message = "This sign-in has expired or was completed already. Sign in again with your password.";
  return new Refusal(401, "authentication_error", "invalid_challenge", message, { param: "challenge" });
}
