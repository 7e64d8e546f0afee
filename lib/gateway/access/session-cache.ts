import type { TableCache } from "../changes/table-cache";
import type { ActorRef } from "../roles/actor";
import type { SessionRecord, SessionStore } from "./session-store.sql";

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

  /** A holder's open sessions, newest first. */
  listByActor({ kind, id }: ActorRef, nowMs: number): OpenSession[] {
    const sessions = [...this.#byId.values()].filter(
      ({ holder }) => holder.kind === kind && holder.id === id,
    );
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
