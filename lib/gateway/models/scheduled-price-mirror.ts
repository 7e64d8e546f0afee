import type { Mirror } from "../changes/mirror";
import type { ScheduledPrice, ScheduledPriceStore } from "./scheduled-price-store";

/** The scheduled prices in memory, so that looking for one that is due costs nothing. */
export class ScheduledPriceMirror {
  /** The next one first. */
  #prices: readonly ScheduledPrice[] = [];

  listOf(model: string): ScheduledPrice[] {
    return this.#prices.filter((price) => price.model === model);
  }

  find(id: string): ScheduledPrice | undefined {
    return this.#prices.find((price) => price.id === id);
  }

  /** Those whose time has come, in its order. */
  due(nowMs: number): ScheduledPrice[] {
    return this.#prices.filter(({ effectiveAtMs }) => effectiveAtMs <= nowMs);
  }

  following(store: Pick<ScheduledPriceStore, "list">): Mirror {
    const load = async () => {
      this.#prices = await store.list();
    };
    return { load, reread: { scheduled_prices: load } };
  }
}
