import type { RateLimitValues } from "@/lib/contract/operations/rate-limits";
import { amountOf } from "@/lib/money/amount";
import { Catalogue, type CatalogueModel } from "./catalogue";
import { type ModelEntry, toCatalogueModel, toPrice } from "./model-entry";
import type { ModelStore } from "./model-store";
import { sandboxModels } from "./sandbox-models";

/**
 * Reads every model once, at start. The configuration file stands before a database model of the same id; a price saved
 * in the console stands before all.
 */
export async function loadCatalogue(
  models: ModelStore,
  configured: readonly ModelEntry[],
  defaults: RateLimitValues,
): Promise<Catalogue> {
  const written = new Map<string, CatalogueModel>();
  for (const entry of sandboxModels) {
    written.set(entry.id, toCatalogueModel(entry, { source: "built_in", defaults, createdAtMs: 0 }));
  }
  for (const model of await models.list()) {
    const { createdAtMs } = model;
    written.set(model.id, toCatalogueModel(model, { source: "database", defaults, createdAtMs }));
  }
  for (const entry of configured) {
    written.set(entry.id, toCatalogueModel(entry, { source: "config", defaults, createdAtMs: 0 }));
  }
  for (const { model: id, rate, price } of await models.listPrices()) {
    const model = written.get(id);
    if (model) written.set(id, { ...model, rate: amountOf(rate), price: toPrice(price) });
  }
  return new Catalogue(written.values());
}
