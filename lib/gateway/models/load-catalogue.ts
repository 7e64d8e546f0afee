import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import { amountOf } from "@/lib/money/amount";
import { Catalogue, type CatalogueModel } from "./catalogue";
import { type ModelEntry, toCatalogueModel, toPrice } from "./model-entry";
import type { ModelStore } from "./model-store";
import { sandboxModels } from "./sandbox-models";
import type { Source } from "./source";

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
  return new Catalogue(written.values());
}
