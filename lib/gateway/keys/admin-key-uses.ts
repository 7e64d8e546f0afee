import { type ChangeContext, systemChange } from "../changes/change";
import type { KeyStore } from "./key-store";

/**
 * Records in memory when each admin key was last used, so that no call waits for a write. `keep` stores it every half
 * minute and when the gateway closes.
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

  /** Stores what was recorded. @throws Error of the store; what was not stored stays recorded. */
  async keep(): Promise<void> {
    const noted = [...this.#unkept];
    if (noted.length === 0) return;
    await systemChange(this.context, "key uses", async (transaction) => {
      for (const [id, atMs] of noted) await this.keys.noteAdminKeyUse(transaction, id, atMs);
    });
    for (const [id, atMs] of noted) if (this.#unkept.get(id) === atMs) this.#unkept.delete(id);
  }
}
