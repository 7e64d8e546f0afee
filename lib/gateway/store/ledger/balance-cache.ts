import { type Nano, toNano } from "@/lib/money/amount";
import type { StoredFunds } from "../../balance/funds";

/**
 * The available balance at the store's last reply, less what was asked of it since. It is enough to refuse a call early; holds
 * are granted by the store alone.
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

  /** Called after the store's figures were read. */
  recordAnswer(amount: Nano): void {
    this.#asked -= amount;
  }
}
