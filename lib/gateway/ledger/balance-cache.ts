import { type Nano, toNano } from "@/lib/money/amount";
import type { StoredFunds } from "./funds";

/**
 * The available balance at the store's last reply, less what was reserved since. It is enough to refuse a call early;
 * holds are granted by the store alone.
 */
export class BalanceCache {
  /** Holds that the store has not answered yet. */
  #reserved = 0n;

  constructor(private stored: StoredFunds) {}

  get available(): Nano {
    return toNano(this.stored.posted - this.stored.held - this.#reserved);
  }

  update(stored: StoredFunds): void {
    this.stored = stored;
  }

  reserve(amount: Nano): void {
    this.#reserved += amount;
  }

  /** Call it once the store has answered, after `update`. */
  unreserve(amount: Nano): void {
    this.#reserved -= amount;
  }
}
