import { findKeyKind } from "@/lib/contract/access/secret-keys";
import { HOUR_MS } from "@/lib/contract/durations";
import type { SessionStore } from "../access/session-store.sql";
import { type NewSession, type SessionContext, startSession } from "../access/sessions";
import { type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { Effects } from "../effects";
import type { KeyMirror } from "../keys/key-mirror";
import type { AdminKeyRecord } from "../keys/key-records";
import { unauthenticated } from "../refusal";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";

const LINK_MS = HOUR_MS;

interface KeySignInContext extends SessionContext {
  readonly keyMirror: KeyMirror;
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

function findAdminKey({ keyMirror, effects }: KeySignInContext, key: string): AdminKeyRecord {
  const isAdminKey = findKeyKind(key) === "gk_admin_";
  const active = isAdminKey ? keyMirror.find(hashSecret(key), effects.clock.nowMs()) : undefined;
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
  const { sessions, effects } = context;
  const hash = hashSecret(token);
  if (!(await sessions.isSignInTokenUsable(hash, effects.clock.nowMs()))) throw unauthenticated();
  return change(context, request, async (transaction) => {
    const redeemed = await sessions.redeemSignInToken(transaction, hash, effects.clock.nowMs());
    if (!redeemed) throw unauthenticated();
    return startSession(context, transaction, { kind: "admin_key", id: redeemed.adminKeyId }, userAgent);
  });
}

/** Makes the token of a sign-in link, which can be used once within an hour. */
export async function makeSignInToken(
  { sessions, effects }: { sessions: SessionStore; effects: Effects },
  transaction: Transaction,
  adminKeyId: string,
): Promise<string> {
  const token = newToken("gl_", effects.random);
  const expiresAtMs = effects.clock.nowMs() + LINK_MS;
  await sessions.insertSignInToken(transaction, { hash: hashSecret(token), adminKeyId, expiresAtMs });
  return token;
}
