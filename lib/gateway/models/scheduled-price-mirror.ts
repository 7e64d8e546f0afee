import type { Mirror } from "../changes/mirror";
import type { ScheduledPrice, ScheduledPriceStore } from "./scheduled-price-store";

/** The scheduled prices in memory, so that checking for due ones needs no read. */
export class ScheduledPriceMirror {
  /** Earliest first. */
  #prices: readonly ScheduledPrice[] = [];

  listByModel(model: string): ScheduledPrice[] {
    return this.#prices.filter((price) => price.model === model);
  }

  find(id: string): ScheduledPrice | undefined {
    return this.#prices.find((price) => price.id === id);
  }

  /** The prices whose time has come, earliest first. */
  listDue(nowMs: number): ScheduledPrice[] {
    return this.#prices.filter(({ effectiveAtMs }) => effectiveAtMs <= nowMs);
  }

  following(store: Pick<ScheduledPriceStore, "list">): Mirror {
    const load = async () => {
      this.#prices = await store.list();
    };
    return { load, reread: { scheduled_prices: load } };
  }
}
