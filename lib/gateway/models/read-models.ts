import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import { amountOf } from "@/lib/money/amount";
import type { CatalogueModel } from "./catalogue";
import { type ModelEntry, toCatalogueModel, toPrice, toRate, toUnitPrice } from "./model-entry";
import type { ModelStore } from "./model-store";
import { sandboxModels } from "./sandbox-models";
import type { Source } from "./source";

interface ModelSources {
  readonly models: Pick<ModelStore, "list" | "listPrices">;
  /** The models of the configuration file. */
  readonly configured: readonly ModelEntry[];
  /** The rate limits of a model that defines none. */
  readonly defaults: RateLimitValues;
}

/**
 * All models by id. A configured model overrides a stored one with the same id, and a stored price overrides any other.
 */
export async function readModels({
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
  for (const { model: id, rate, batchRate, ...stored } of await models.listPrices()) {
    const model = written.get(id);
    const { price, unitPrice, audioPrice, updatedAtMs: pricedAtMs } = stored;
    const rates = { rate: amountOf(rate), batchRate: toRate(batchRate) };
    const tokens = { price: price && toPrice(price), audioPrice: audioPrice && toPrice(audioPrice) };
    const saved = { ...rates, ...tokens, unitPrice: unitPrice && toUnitPrice(unitPrice) };
    if (model) written.set(id, { ...model, ...saved, pricedAtMs });
  }
  return written;
}
