import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Transaction } from "../changes/transaction";
import type { ClockAndRandom } from "../clock";
import { findManageableUser, type UserCache } from "../people/members";
import { invalid, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Actor, ActorRef } from "../roles/actor";
import { hashSecret } from "../secrets/hash-secret";
import { newToken } from "../secrets/new-token";
import type { Caller } from "./caller";
import { toActorRef } from "./resolve-actor";
import type { SessionCache } from "./session-cache";
import type { SessionRecord, SessionStore } from "./session-store.sql";

export interface SessionContext extends ChangeContext {
  readonly sessions: SessionStore;
  readonly sessionCache: SessionCache;
  readonly runtime: ClockAndRandom;
}

const SESSION_MS = 12 * HOUR_MS;
const USER_AGENT_LENGTH = 300;

/** A session with its token. Only the token's hash is stored. */
export interface NewSession {
  readonly session: SessionRecord;
  readonly token: string;
}

/** Opens a session for an admin key or a member, within a change. */
export async function startSession(
  { sessions, runtime }: SessionContext,
  transaction: Transaction,
  holder: ActorRef,
  userAgent: string | null,
): Promise<NewSession> {
  const session = newSession(runtime, holder, userAgent);
  await sessions.insert(transaction, session.session);
  return session;
}

/** A session of twelve hours that is not stored yet. */
export function newSession(
  { clock, random }: ClockAndRandom,
  holder: ActorRef,
  userAgent: string | null,
): NewSession {
  const token = newToken("gs_", random);
  const createdAtMs = clock.nowMs();
  const session = {
    id: newId("sess", createdAtMs, random),
    holder,
    hash: hashSecret(token),
    userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    createdAtMs,
    expiresAtMs: createdAtMs + SESSION_MS,
  };
  return { session, token };
}

/** Ends the caller's own session. @throws Refusal 400 for a key. */
export function endCurrentSession(
  context: SessionContext,
  request: ChangeRequest,
  caller: Caller,
): Promise<void> {
  if (caller.kind === "session") return endSession(context, request, toActorRef(caller), caller.id);
  throw invalid("authorization", "Only a session can be ended here; a key is revoked by deleting it.");
}

/** Ends a member's session. @throws Refusal 404; 403 for a member with more permissions than the actor. */
export function endUserSession(
  context: SessionContext & { readonly userCache: UserCache; readonly graph: AccessGraph },
  request: ChangeRequest,
  actor: Actor,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<void> {
  return endSession(context, request, { kind: "user", id: userId }, sessionId, () => {
    findManageableUser(context, actor, userId);
  });
}

/**
 * Ends one of the holder's sessions; its token stops working at once. `refuse` throws if it may not be ended.
 * @throws Refusal 404 if the holder has no such open session.
 */
export function endSession(
  context: SessionContext,
  request: ChangeRequest,
  holder: ActorRef,
  id: string,
  refuse: () => void = () => {},
): Promise<void> {
  const { sessions, sessionCache, runtime } = context;
  return change(context, request, async (transaction) => {
    refuse();
    const openSessions = sessionCache.listByActor(holder, runtime.clock.nowMs());
    if (!openSessions.some((session) => session.id === id)) throw notFound("session", id, "session_id");
    await sessions.delete(transaction, id);
  });
}
