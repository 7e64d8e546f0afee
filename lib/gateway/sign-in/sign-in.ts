import { auditEvents } from "@/lib/contract/access/audit-events";
import { MINUTE_MS } from "@/lib/contract/durations";
import { type NewSession, startSession } from "../access/sessions";
import { type ChangeRequest, change, systemChange, withEventType } from "../changes/change";
import type { UserRecord } from "../people/user-store.sql";
import { Refusal } from "../refusal";
import { createRandomText } from "../secrets/secret";
import { countAttempt, rememberDevice, type SignInClient } from "./attempts";
import { openToken, sealToken } from "./seal-token";
import { logFailedSignIn, type SignInContext } from "./sign-in-context";
import { takeCode } from "./two-factor";

/** What a client sends to complete a sign-in with the second factor. */
interface SignInChallenge {
  readonly challenge: string;
  readonly expiresAtMs: number;
}

/** A sign-in whose password was correct and whose second factor is pending. */
interface Challenge {
  readonly id: string;
  readonly userId: string;
  readonly expiresAtMs: number;
}

const CHALLENGE_MS = 10 * MINUTE_MS;

/**
 * Signs a member in with their password. With a second factor it returns a challenge instead of a session.
 * @throws Refusal 401, worded the same for an unknown address; 429 after too many attempts.
 */
export async function signIn(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<MemberSession | SignInChallenge> {
  const { id } = await checkPassword(context, request, client, email.toLowerCase(), password);
  const factor = await context.credentialStore.findTwoFactor(id);
  return factor?.isOn ? createChallenge(context, id) : startMemberSession(context, request, client, id);
}

/** Completes a sign-in with a code. @throws Refusal 401; 429 after too many attempts. */
export async function answerChallenge(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  answer: { readonly challenge: string; readonly code: string },
): Promise<MemberSession> {
  const { id } = await checkCode(context, request, client, answer);
  return startMemberSession(context, request, client, id);
}

async function checkPassword(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  email: string,
  password: string,
): Promise<UserRecord> {
  const { credentialStore, userCache } = context;
  const user = userCache.findByEmail(email);
  const userId = user?.id ?? null;
  const attempt = await countAttempt(context, client, { what: "password", email, userId });
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
  client: SignInClient,
  { challenge: sealedChallenge, code }: { readonly challenge: string; readonly code: string },
): Promise<UserRecord> {
  const { usedCodes, userCache, runtime } = context;
  const spend = (userId: string, proof: string) =>
    systemChange(context, "sign-in bookkeeping", (transaction) =>
      usedCodes.use(transaction, userId, proof, runtime.clock.nowMs()),
    );
  const challenge = openToken<Challenge>("sign-in challenge", sealedChallenge, context);
  const user = challenge && userCache.find(challenge.userId);
  const proof = `challenge ${challenge?.id}`;
  if (!user || (await usedCodes.isUsed(user.id, proof))) throw spentChallenge();
  const attempt = await countAttempt(context, client, { what: "code", email: user.email, userId: user.id });
  const isRight = await takeCode(context, request, user.id, code);
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

function createChallenge(context: SignInContext, userId: string): SignInChallenge {
  const { clock, random } = context.runtime;
  const challenge: Challenge = {
    id: createRandomText(random),
    userId,
    expiresAtMs: clock.nowMs() + CHALLENGE_MS,
  };
  return {
    challenge: sealToken("sign-in challenge", challenge, context),
    expiresAtMs: challenge.expiresAtMs,
  };
}

function spentChallenge(): Refusal {
  const message = "This sign-in has expired or was completed already. Sign in again with your password.";
  return new Refusal(401, "authentication_error", "invalid_challenge", message, { param: "challenge" });
}

/** A member's new session. `deviceToken` is null on a device that has one. */
export interface MemberSession extends NewSession {
  readonly deviceToken: string | null;
}

/**
 * Opens a session for an authenticated member, and remembers the device.
 * @throws Refusal 403 for a member who was deactivated.
 */
export function startMemberSession(
  context: SignInContext,
  request: ChangeRequest,
  client: SignInClient,
  userId: string,
): Promise<MemberSession> {
  const actor = { kind: "user" as const, id: userId };
  return change(context, withEventType(auditEvents.signIn, request), async (transaction) => {
    if (!context.userCache.findActive(userId)) throw deactivated();
    const deviceToken = await rememberDevice(context, transaction, client, userId);
    const started = await startSession(context, transaction, actor, client.userAgent);
    await context.users.recordSignIn(transaction, userId, started.session.createdAtMs);
    return { deviceToken, ...started };
  });
}

function deactivated(): Refusal {
  const message =
    "Your account was deactivated in your organization's directory. Ask whoever runs the directory to activate it.";
  return new Refusal(403, "permission_error", "account_deactivated", message);
}
