import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { auditEvents } from "@/lib/contract/access/audit-events";
import { findKeyKind } from "@/lib/contract/access/secret-keys";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { SessionStore } from "../access/session-store.sql";
import { type NewSession, type SessionContext, startSession } from "../access/sessions";
import { type ChangeRequest, change, systemChange, withEventType } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import type { KeyCache } from "../keys/key-cache";
import type { AdminKeyRecord } from "../keys/key-records";
import type { UserRecord } from "../people/user-store.sql";
import { Refusal, unauthenticated } from "../refusal";
import { createRandomText, hashSecret, newToken, type TOKEN_PREFIXES } from "../secrets/secret";
import { countAttempt, rememberDevice, type SignInClient } from "./attempts";
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

const PREFIX: (typeof TOKEN_PREFIXES)[number] = "gc_";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Purpose = "sign-in challenge" | "single sign-on";

interface Context {
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly runtime: ClockAndRandom;
}

/**
 * Encrypts state between two requests (AES-256-GCM with a key for the purpose), so that the client keeps it and
 * strangers can't fill the gateway's memory.
 */
export function sealToken(
  purpose: Purpose,
  value: { readonly expiresAtMs: number },
  { secret, runtime }: Context,
): string {
  const nonce = runtime.random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, purpose), nonce);
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString("base64url");
}

/** Null for a token that was not sealed for this purpose with this secret, was modified, or has expired. */
export function openToken<Value extends { readonly expiresAtMs: number }>(
  purpose: Purpose,
  token: string,
  { secret, runtime }: Context,
): Value | null {
  const bytes = Buffer.from(token.slice(PREFIX.length), "base64url");
  if (!token.startsWith(PREFIX) || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const value = decrypt(deriveKey(secret, purpose), bytes) as Value | null;
  return value && value.expiresAtMs > runtime.clock.nowMs() ? value : null;
}

function deriveKey(secret: Uint8Array, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 32));
}

function decrypt(key: Uint8Array, bytes: Buffer): unknown {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plainParts = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(plainParts).toString("utf8"));
  } catch {
    return null;
  }
}

const LINK_MS = HOUR_MS;

interface KeySignInContext extends SessionContext {
  readonly keyCache: KeyCache;
}

/** Opens a session for an admin key. @throws Refusal 401 for any other key, and for a revoked or expired one. */
export async function signInWithKey(
  context: KeySignInContext,
  request: ChangeRequest,
  key: string,
  userAgent: string | null,
): Promise<NewSession> {
  // Wrong keys are refused before the change, so that strangers don't delay the changes and calls of others.
  findAdminKey(context, key);
  return change(context, request, (transaction) => {
    const { id } = findAdminKey(context, key);
    return startSession(context, transaction, { kind: "admin_key", id }, userAgent);
  });
}

function findAdminKey({ keyCache, runtime }: KeySignInContext, key: string): AdminKeyRecord {
  const isAdminKey = findKeyKind(key) === "gk_admin_";
  const active = isAdminKey ? keyCache.find(hashSecret(key), runtime.clock.nowMs()) : undefined;
  if (active?.kind !== "admin_key") throw unauthenticated();
  return active.key;
}

/** Opens a session for the token of a sign-in link. @throws Refusal 401 for an unknown, used or expired one. */
export async function signInByLink(
  context: SessionContext,
  request: ChangeRequest,
  token: string,
  userAgent: string | null,
): Promise<NewSession> {
  const { sessions, runtime } = context;
  const hash = hashSecret(token);
  if (!(await sessions.isSignInTokenUsable(hash, runtime.clock.nowMs()))) throw unauthenticated();
  return change(context, request, async (transaction) => {
    const redeemed = await sessions.redeemSignInToken(transaction, hash, runtime.clock.nowMs());
    if (!redeemed) throw unauthenticated();
    return startSession(context, transaction, { kind: "admin_key", id: redeemed.adminKeyId }, userAgent);
  });
}

/** Makes the token of a sign-in link, which can be used once within an hour. */
export async function makeSignInToken(
  { sessions, runtime }: { sessions: SessionStore; runtime: ClockAndRandom },
  transaction: Transaction,
  adminKeyId: string,
): Promise<string> {
  const token = newToken("gl_", runtime.random);
  const expiresAtMs = runtime.clock.nowMs() + LINK_MS;
  await sessions.insertSignInToken(transaction, { hash: hashSecret(token), adminKeyId, expiresAtMs });
  return token;
}
