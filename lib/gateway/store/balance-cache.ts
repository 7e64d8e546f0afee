import { type Nano, toNano } from "@/lib/money/amount";
import type { StoredFunds } from "../balance/funds";

/**
 * What the store had available when it was last heard, less what was asked of it since: enough to refuse early, and never what a
 * hold is granted by.
 */
export class BalanceCache {
  /** Holds that the store has not answered yet. */
  #asked = 0n;

  constructor(private stored: StoredFunds) {}

  get available(): Nano {
    return toNano(this.stored.posted - this.stored.held - this.#asked);
  }

  read(stored: StoredFunds): void {
    this.stored = stored;
  }

  ask(amount: Nano): void {
    this.#asked += amount;
  }

  /** After the store's figures of that moment were read. */
  answered(amount: Nano): void {
    this.#asked -= amount;
  }
}
