import { HOUR_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { TableCache } from "../changes/table-cache";
import type { Transaction } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import { findManageableUser, type UserCache } from "../people/members";
import { invalid, notFound } from "../refusal";
import type { AccessGraph } from "../roles/access-graph";
import type { Actor, ActorRef } from "../roles/actor";
import { hashSecret, newToken } from "../secrets/secret";
import { type Caller, toActorRef } from "./caller";
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
  actor: ActorRef,
  userAgent: string | null,
): Promise<NewSession> {
  const session = newSession(runtime, actor, userAgent);
  await sessions.insert(transaction, session.session);
  return session;
}

/** A session of twelve hours that is not stored yet. */
export function newSession(
  { clock, random }: ClockAndRandom,
  actor: ActorRef,
  userAgent: string | null,
): NewSession {
  const token = newToken("gs_", random);
  const createdAtMs = clock.nowMs();
  const session = {
    id: newId("sess", createdAtMs, random),
    actor,
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
 * Ends a session of a member or an admin key; its token stops working at once. `refuse` throws if it may not be
 * ended.
 * @throws Refusal 404 if they have no such open session.
 */
export function endSession(
  context: SessionContext,
  request: ChangeRequest,
  actor: ActorRef,
  id: string,
  refuse: () => void = () => {},
): Promise<void> {
  const { sessions, sessionCache, runtime } = context;
  return change(context, request, async (transaction) => {
    refuse();
    const openSessions = sessionCache.listByActor(actor, runtime.clock.nowMs());
    if (!openSessions.some((session) => session.id === id)) throw notFound("session", id, "session_id");
    await sessions.delete(transaction, id);
  });
}

/** A session in memory, with its last use since the gateway started. */
export interface OpenSession extends SessionRecord {
  lastUsedAtMs: number | null;
}

/** The open sessions in memory, by the hash of their tokens. */
export class SessionCache {
  readonly #byHash = new Map<string, OpenSession>();
  readonly #byId = new Map<string, OpenSession>();

  /** `onRemoved` is called with the id of each session that ends, or is found expired. */
  constructor(
    sessions: readonly SessionRecord[] = [],
    private readonly onRemoved: (id: string) => void = () => {},
  ) {
    this.#replace(sessions);
  }

  /** The session with this token hash, unless it has expired. */
  find(hash: string, nowMs: number): SessionRecord | undefined {
    const session = this.#byHash.get(hash);
    if (!session) return undefined;
    if (session.expiresAtMs <= nowMs) {
      this.#byHash.delete(hash);
      this.#byId.delete(session.id);
      this.onRemoved(session.id);
      return undefined;
    }
    session.lastUsedAtMs = nowMs;
    return session;
  }

  /** The open sessions of a member or an admin key, newest first. */
  listByActor({ kind, id }: ActorRef, nowMs: number): OpenSession[] {
    const sessions = [...this.#byId.values()].filter(({ actor }) => actor.kind === kind && actor.id === id);
    return sessions.filter(({ expiresAtMs }) => expiresAtMs > nowMs).toReversed();
  }

  following(store: Pick<SessionStore, "listUnexpired" | "find">, nowMs: () => number): TableCache {
    return {
      load: async () => this.#replace(await store.listUnexpired(nowMs())),
      reread: { sessions: async ({ id }) => this.#put(id, await store.find(id)) },
    };
  }

  #replace(sessions: readonly SessionRecord[]): void {
    const endedIds = new Set(this.#byId.keys());
    for (const session of sessions) {
      this.#put(session.id, session);
      endedIds.delete(session.id);
    }
    for (const id of endedIds) this.#put(id, null);
  }

  /** Sessions never change: they are only added and removed. */
  #put(id: string, session: SessionRecord | null): void {
    const existing = this.#byId.get(id);
    if (session && !existing) {
      const openSession = { ...session, lastUsedAtMs: null };
      this.#byHash.set(session.hash, openSession);
      this.#byId.set(id, openSession);
    } else if (!session && existing) {
      this.#byHash.delete(existing.hash);
      this.#byId.delete(id);
      this.onRemoved(id);
    }
  }
}
