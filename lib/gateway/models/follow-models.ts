import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import { amountOf } from "@/lib/money/amount";
import type { Mirror } from "../changes/mirror";
import type { Catalogue, CatalogueModel } from "./catalogue";
import { type ModelEntry, toCatalogueModel, toPrice } from "./model-entry";
import type { ModelStore } from "./model-store";
import { sandboxModels } from "./sandbox-models";
import type { Source } from "./source";

interface ModelSources {
  readonly models: Pick<ModelStore, "list" | "listPrices">;
  /** Those of the configuration file. */
  readonly configured: readonly ModelEntry[];
  /** The rate limits of a model that brings none of its own. */
  readonly defaults: RateLimitValues;
}

/** Lets the catalogue follow the models and prices that are stored. */
export function followModels(catalogue: Catalogue, sources: ModelSources): Mirror {
  const reread = async ({ id }: { id: string }) => {
    const model = (await readModels(sources)).get(id);
    if (model) catalogue.put(model);
  };
  return {
    load: async () => catalogue.load((await readModels(sources)).values()),
    reread: { models: reread, model_prices: reread },
  };
}

/**
 * The configuration file stands before a database model of the same id; a price saved in the console stands before all.
 */
async function readModels({
  models,
  configured,
  defaults,
}: ModelSources): Promise<Map<string, CatalogueModel>> {
  const written = new Map<string, CatalogueModel>();
  const write = (entry: ModelEntry, source: Source, createdAtMs: number) => {
    if (written.has(entry.id)) return;
    written.set(entry.id, toCatalogueModel(entry, { source, defaults, createdAtMs }));
  };
  for (const entry of configured) write(entry, "config", 0);
  for (const stored of await models.list()) write(stored, "database", stored.createdAtMs);
  for (const entry of sandboxModels) write(entry, "built_in", 0);
  for (const { model: id, rate, price } of await models.listPrices()) {
    const model = written.get(id);
    if (model) written.set(id, { ...model, rate: amountOf(rate), price: toPrice(price) });
  }
  return written;
}
