import type { SessionHolder, SessionRecord } from "./session-store";

/** A session in memory, and when it was last used since the gateway started. */
export interface OpenSession extends SessionRecord {
  lastUsedAtMs: number | null;
}

/** The open sessions in memory, by hash. Mirrors the session store. */
export class SessionBook {
  readonly #byHash = new Map<string, OpenSession>();

  /** `onRemoved` is told the id of each session that is ended. */
  constructor(
    sessions: readonly SessionRecord[],
    private readonly onRemoved: (id: string) => void = () => {},
  ) {
    for (const session of sessions) this.add(session);
  }

  /** The session of a token's hash, unless it has expired. */
  find(hash: string, nowMs: number): SessionRecord | undefined {
    const session = this.#byHash.get(hash);
    if (!session) return undefined;
    if (session.expiresAtMs <= nowMs) {
      this.#byHash.delete(hash);
      return undefined;
    }
    session.lastUsedAtMs = nowMs;
    return session;
  }

  /** A holder's open sessions, newest first. */
  listOf({ kind, id }: SessionHolder, nowMs: number): OpenSession[] {
    const own = [...this.#byHash.values()].filter(({ holder }) => holder.kind === kind && holder.id === id);
    return own.filter(({ expiresAtMs }) => expiresAtMs > nowMs).toReversed();
  }

  add(session: SessionRecord): void {
    this.#byHash.set(session.hash, { ...session, lastUsedAtMs: null });
  }

  remove(id: string): void {
    this.#removeWhere((session) => session.id === id);
  }

  /** Ends all sessions of one holder, but for one. */
  removeOf({ kind, id }: SessionHolder, keptId: string | null = null): void {
    this.#removeWhere(
      (session) => session.holder.kind === kind && session.holder.id === id && session.id !== keptId,
    );
  }

  #removeWhere(isGone: (session: SessionRecord) => boolean): void {
    for (const [hash, session] of this.#byHash) {
      if (!isGone(session)) continue;
      this.#byHash.delete(hash);
      this.onRemoved(session.id);
    }
  }
}
