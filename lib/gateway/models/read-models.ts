import { ORGANIZATION_DEFAULTS, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { CatalogueModel, Source } from "./catalogue";
import { findOwn } from "./limit-defaults";
import { type ModelEntry, toCatalogueModel, toPrice, toRate, toRouted, toUnitPrice } from "./model-entry";
import type { ModelStore } from "./model-store.sql";
import { sandboxModels } from "./sandbox-models";

interface ModelSources {
  readonly models: Pick<ModelStore, "list" | "listPrices" | "routes" | "limitDefaults">;
  /** The models of the configuration file. */
  readonly configured: readonly ModelEntry[];
  /** The rate limits of a model that defines none. */
  readonly defaults: RateLimitValues;
}

/**
 * All models by id. A configured model overrides a stored one with the same id, and stored prices and routes override
 * those of any definition.
 */
export async function readModels({
  models,
  configured,
  defaults: fileDefaults,
}: ModelSources): Promise<Map<string, CatalogueModel>> {
  const limitDefaults = await models.limitDefaults.list();
  const defaults = { ...fileDefaults, ...findOwn(limitDefaults, ORGANIZATION_DEFAULTS) };
  const modelById = new Map<string, CatalogueModel>();
  const write = (entry: ModelEntry, source: Source, createdAtMs: number) => {
    if (modelById.has(entry.id)) return;
    modelById.set(entry.id, toCatalogueModel(entry, { source, defaults, createdAtMs }));
  };
  for (const entry of configured) write(entry, "config", 0);
  for (const model of await models.list()) write(model, "database", model.createdAtMs);
  for (const entry of sandboxModels) write(entry, "built_in", 0);
  for (const { model: id, rate, batchRate, ...prices } of await models.listPrices()) {
    const model = modelById.get(id);
    const { price, unitPrice, audioPrice, updatedAtMs: pricedAtMs } = prices;
    const rates = { rate: parseCheckedAmount(rate), batchRate: toRate(batchRate) };
    const tokens = { price: price && toPrice(price), audioPrice: audioPrice && toPrice(audioPrice) };
    const modelPrices = { ...rates, ...tokens, unitPrice: unitPrice && toUnitPrice(unitPrice) };
    if (model) modelById.set(id, { ...model, ...modelPrices, pricedAtMs });
  }
  for (const { model: id, routes, updatedAtMs: routedAtMs } of await models.routes.list()) {
    const model = modelById.get(id);
    if (model) modelById.set(id, { ...model, ...toRouted(routes), routedAtMs });
  }
  for (const { id, own } of limitDefaults) {
    const model = id === ORGANIZATION_DEFAULTS ? undefined : modelById.get(id);
    if (model) modelById.set(id, { ...model, defaultRateLimits: { ...model.defaultRateLimits, ...own } });
  }
  return modelById;
}
