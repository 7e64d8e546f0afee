import type { KeyStore } from "./key-store";

/**
 * When each admin key was last used, noted in memory so that no call waits for a write: kept when somebody looks, and when
 * the gateway closes. A gateway that dies forgets the uses nobody has looked at.
 */
export class AdminKeyUses {
  readonly #unkept = new Map<string, number>();

  constructor(private readonly keys: Pick<KeyStore, "noteAdminKeyUse">) {}

  note(id: string, nowMs: number): void {
    this.#unkept.set(id, nowMs);
  }

  /** Makes what was noted durable. @throws Error of the store; what it did not take stays noted. */
  async keep(): Promise<void> {
    for (const [id, atMs] of this.#unkept) {
      await this.keys.noteAdminKeyUse(id, atMs);
      if (this.#unkept.get(id) === atMs) this.#unkept.delete(id);
    }
  }
}
