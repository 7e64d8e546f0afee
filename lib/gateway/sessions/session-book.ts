import type { SessionHolder, SessionRecord } from "./session-store";

/** The open sessions in memory, by hash. Mirrors the session store. */
export class SessionBook {
  readonly #byHash = new Map<string, SessionRecord>();

  constructor(sessions: readonly SessionRecord[]) {
    for (const session of sessions) this.add(session);
  }

  /** The session of a token's hash, unless it has expired. */
  find(hash: string, nowMs: number): SessionRecord | undefined {
    const session = this.#byHash.get(hash);
    if (!session || session.expiresAtMs > nowMs) return session;
    this.#byHash.delete(hash);
    return undefined;
  }

  add(session: SessionRecord): void {
    this.#byHash.set(session.hash, session);
  }

  remove(id: string): void {
    this.#removeWhere((session) => session.id === id);
  }

  /** Ends all sessions of one holder. */
  removeOf({ kind, id }: SessionHolder): void {
    this.#removeWhere(({ holder }) => holder.kind === kind && holder.id === id);
  }

  #removeWhere(isGone: (session: SessionRecord) => boolean): void {
    for (const [hash, session] of this.#byHash) if (isGone(session)) this.#byHash.delete(hash);
  }
}
