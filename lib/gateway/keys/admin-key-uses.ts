import { type ChangeContext, systemChange } from "../changes/change";
import type { KeyStore } from "./key-store";

/**
 * When each admin key was last used, noted in memory so that no call waits for a write: kept every half minute, and when the
 * gateway closes.
 */
export class AdminKeyUses {
  readonly #unkept = new Map<string, number>();

  constructor(
    private readonly keys: Pick<KeyStore, "noteAdminKeyUse">,
    private readonly context: ChangeContext,
  ) {}

  note(id: string, nowMs: number): void {
    this.#unkept.set(id, nowMs);
  }

  lastUsedAtMs({ id, lastUsedAtMs }: { readonly id: string; readonly lastUsedAtMs: number | null }) {
    return this.#unkept.get(id) ?? lastUsedAtMs;
  }

  /** Makes what was noted durable. @throws Error of the store; what it did not take stays noted. */
  async keep(): Promise<void> {
    const noted = [...this.#unkept];
    if (noted.length === 0) return;
    await systemChange(this.context, "key uses", async (transaction) => {
      for (const [id, atMs] of noted) await this.keys.noteAdminKeyUse(transaction, id, atMs);
    });
    for (const [id, atMs] of noted) if (this.#unkept.get(id) === atMs) this.#unkept.delete(id);
  }
}
