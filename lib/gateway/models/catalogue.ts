import type { MediaUnit, ModelFamily } from "@/lib/contract/model-families";
import type { ModelRoute } from "@/lib/contract/operations/models";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
import type { Mirror } from "../changes/mirror";
import { bySource, type Source } from "./source";

/** One model as calls are routed and priced by. */
export interface CatalogueModel {
  readonly id: string;
  readonly family: ModelFamily;
  readonly description: string | null;
  /** The model rate × 10^9. */
  readonly rate: Nano;
  /** List price per 1,000,000 tokens; null where none is set: such a model answers no call. */
  readonly price: { readonly inputPer1m: Nano; readonly outputPer1m: Nano } | null;
  /** List prices by the unit, of image, video and music models; null elsewhere, and where none is set. */
  readonly unitPrice: CatalogueUnitPrice | null;
  /** Rate and price as the model was written down, whatever was saved over them since. */
  readonly written: Pick<CatalogueModel, "rate" | "price" | "unitPrice">;
  /** When they were saved last; null where they are those that were written. */
  readonly pricedAtMs: number | null;
  readonly maxOutputTokens: number;
  /** The most tokens it reads and writes in one call; null where nobody said. */
  readonly contextWindow: number | null;
  /** What a call without `max_tokens` is estimated at. */
  readonly usualOutputTokens: number;
  /** Tried in order. */
  readonly routes: readonly ModelRoute[];
  readonly source: Source;
  /** True where the offline stand-in, which is no AI, answers. */
  readonly sandbox: boolean;
  readonly defaultRateLimits: RateLimitValues;
  /** 0 where nobody recorded it: built-in and configured models. */
  readonly createdAtMs: number;
}

/** What one unit of a model's output costs. */
export interface CatalogueUnitPrice {
  readonly unit: MediaUnit;
  readonly amount: Nano;
  /** At qualities that cost otherwise. */
  readonly qualities: Readonly<Record<string, Nano>>;
}

/** Every model in memory, by id: those of the configuration, and those that are stored. */
export class Catalogue {
  #byId: ReadonlyMap<string, CatalogueModel> = new Map();

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  /** Configured models first, then those added later, then the built-in ones; each in the order they were written. */
  list(): CatalogueModel[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /** `read` gives all models, by id. */
  following(read: () => Promise<ReadonlyMap<string, CatalogueModel>>): Mirror {
    const load = async () => {
      this.#byId = await read();
    };
    return { load, reread: { models: load, model_prices: load } };
  }
}
