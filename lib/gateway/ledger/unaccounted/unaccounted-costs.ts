import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { type ChangeContext, systemChange } from "../../changes/change";
import type { Clock } from "../../clock";
import type { UnaccountedCost, UnaccountedCostStore } from "./unaccounted-cost-store.sql";

/**
 * Sums what providers may bill for attempts that failed, for the comparison with their invoices. In memory until
 * `flush`, which is called about once a second and when the gateway closes; each attempt also stands in its receipt.
 */
export class UnaccountedCosts {
  #sums = new Map<string, UnaccountedCost>();
  /** The end of the last flush. One follows the other. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<UnaccountedCostStore, "add">,
    private readonly context: ChangeContext,
    private readonly clock: Pick<Clock, "nowMs">,
  ) {}

  /** Counts one attempt. */
  note(attempt: Omit<UnaccountedCost, "dayMs" | "attempts">): void {
    const nowMs = this.clock.nowMs();
    this.#add({ ...attempt, dayMs: nowMs - (nowMs % DAY_MS), attempts: 1 });
  }

  /**
   * Stores all costs counted until now, and waits for a flush that is under way.
   * @throws Error of the store; costs that were not stored stay counted.
   */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.catch(() => {}).then(() => this.#write());
    return this.#flushed;
  }

  async #write(): Promise<void> {
    if (this.#sums.size === 0) return;
    const pending = [...this.#sums.values()];
    this.#sums = new Map();
    try {
      await systemChange(this.context, "unaccounted costs", async (transaction) => {
        for (const cost of pending) await this.store.add(transaction, cost);
      });
    } catch (error) {
      for (const cost of pending) this.#add(cost);
      throw error;
    }
  }

  #add(cost: UnaccountedCost): void {
    const { dayMs, provider, providerModel, model } = cost;
    const name = JSON.stringify([dayMs, provider, providerModel, model]);
    const sum = this.#sums.get(name);
    this.#sums.set(name, {
      ...cost,
      attempts: cost.attempts + (sum?.attempts ?? 0),
      promptTokens: cost.promptTokens + (sum?.promptTokens ?? 0),
      amount: toNano(cost.amount + (sum?.amount ?? 0n)),
    });
  }
}
