import type { ModelFamily } from "@/lib/contract/model-families";
import type { ModelRoute } from "@/lib/contract/operations/models";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Nano } from "@/lib/money/amount";
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

/** Every model in memory, by id: those of the configuration, and those that are stored. */
export class Catalogue {
  readonly #byId = new Map<string, CatalogueModel>();

  constructor(models: Iterable<CatalogueModel> = []) {
    this.load(models);
  }

  /** Puts these in the place of all there were. */
  load(models: Iterable<CatalogueModel>): void {
    this.#byId.clear();
    for (const model of models) this.put(model);
  }

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  /** Configured models first, then those added later, then the built-in ones; each in the order they were written. */
  list(): CatalogueModel[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /** Adds a model, or replaces the one of the same id in its place. */
  put(model: CatalogueModel): void {
    this.#byId.set(model.id, model);
  }
}
