import { isMediaFamily, type ModelFamily, type PriceUnit } from "@/lib/contract/calls/model-families";
import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { Nano } from "@/lib/money/amount";
import type { AudioPriceSnapshot, PriceSnapshot } from "@/lib/money/charge";
import type { TableCache } from "../changes/table-cache";

/** A model with everything that routing and pricing need. */
export interface CatalogueModel {
  readonly id: string;
  readonly family: ModelFamily;
  readonly description: string | null;
  /** The model rate × 10^9. */
  readonly rate: Nano;
  /** The model rate of batch lines × 10^9; null if it is `rate`. */
  readonly batchRate: Nano | null;
  /** List price per 1,000,000 tokens; null while none is set. Such a model answers no call. */
  readonly price: Pick<PriceSnapshot, "inputPer1m" | "outputPer1m" | "classes"> | null;
  /** List price per unit; null for families that are priced by tokens, and while none is set. */
  readonly unitPrice: CatalogueUnitPrice | null;
  /** List price per 1,000,000 tokens of audio; null if it is that of text. */
  readonly audioPrice: AudioPriceSnapshot | null;
  /** Rate and price from the model's definition, without later changes. */
  readonly definedPrices: Pick<CatalogueModel, "rate" | "batchRate" | "price" | "unitPrice" | "audioPrice">;
  /** When they were last changed; null while they are as defined. */
  readonly pricedAtMs: number | null;
  /** The maximum tokens of one answer; null if it is not configured. */
  readonly maxOutputTokens: number | null;
  /** The maximum tokens of prompt and output together; null if it is not configured. */
  readonly contextWindow: number | null;
  /** What its prompts may have; null if it isn't known. */
  readonly inputModalities: readonly string[] | null;
  /** The expected output of a call without `max_tokens`. */
  readonly typicalOutputTokens: number;
  /** The ids of the projects that may call it, besides those whose own list allows it; null: every project. */
  readonly projects: ReadonlySet<string> | null;
  /** In the order of their groups. */
  readonly routes: readonly ModelRoute[];
  /** The routes from the model's definition, without later changes. */
  readonly definedRoutes: readonly ModelRoute[];
  /** When they were last changed; null while they are as defined. */
  readonly routedAtMs: number | null;
  readonly source: Source;
  /** True for the models of the offline sandbox, which are no AI. */
  readonly sandbox: boolean;
  readonly defaultRateLimits: RateLimitValues;
  /** Default limits from the model's definition, without later changes. */
  readonly definedRateLimits: Partial<RateLimitValues>;
  /** 0 for built-in and configured models, whose creation is not recorded. */
  readonly createdAtMs: number;
}

/** The list price of one unit of a model's input or output. */
export interface CatalogueUnitPrice {
  readonly unit: PriceUnit;
  readonly amount: Nano;
  /** Prices at other qualities. */
  readonly qualities: Readonly<Record<string, Nano>>;
}

/** All models in memory, by id: configured and stored ones. */
export class Catalogue {
  #byId: ReadonlyMap<string, CatalogueModel> = new Map();

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  /** Whether a model has a route to this model of the provider. */
  hasRoute(provider: string, model: string): boolean {
    return [...this.#byId.values()].some(({ routes }) =>
      routes.some((route) => route.provider === provider && route.model === model),
    );
  }

  /** Configured models first, then stored ones, then built-in ones; each in the order of their definition. */
  list(): CatalogueModel[] {
    return [...this.#byId.values()].toSorted(bySource);
  }

  /** `readModels` returns all models, by id. */
  following(readModels: () => Promise<ReadonlyMap<string, CatalogueModel>>): TableCache {
    const load = async () => {
      this.#byId = await readModels();
    };
    return {
      load,
      reread: { models: load, model_prices: load, model_routes: load, rate_limit_defaults: load },
    };
  }
}

/** Whether programs can call a model: it has a price. */
export function isCallable(model: CatalogueModel): boolean {
  return model.price !== null || model.unitPrice !== null;
}

/** Whether calls to a model are answered with tasks. */
export function isMediaModel(model: CatalogueModel | undefined): boolean {
  return model !== undefined && isMediaFamily(model.family);
}

/** Where a model or a provider is defined. */
export type Source = "built_in" | "config" | "database";

const ORDER: Readonly<Record<Source, number>> = { config: 0, database: 1, built_in: 2 };

/** Orders by source: configured first, then stored, then built-in. */
export function bySource(one: { source: Source }, other: { source: Source }): number {
  return ORDER[one.source] - ORDER[other.source];
}

/** The catalogue replaces a model's object whenever its price or rate changes. */
const rated = new WeakMap<CatalogueModel, CatalogueModel>();

/** The model as batch lines are charged for it: at its batch rate, if it has one. */
export function atBatchRate(model: CatalogueModel): CatalogueModel {
  if (model.batchRate === null) return model;
  const cached = rated.get(model);
  if (cached) return cached;
  const batched = { ...model, rate: model.batchRate };
  rated.set(model, batched);
  return batched;
}
