import { findKeyKind } from "@/lib/contract/access/secret-keys";
import { HOUR_MS } from "@/lib/contract/durations";
import type { SessionStore } from "../access/session-store.sql";
import { type NewSession, type SessionContext, startSession } from "../access/sessions";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { ClockAndRandom } from "../clock";
import type { KeyCache } from "../keys/key-cache";
import type { AdminKeyRecord } from "../keys/key-records";
import { unauthenticated } from "../refusal";
import { hashSecret, newToken } from "../secrets/secret";

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
