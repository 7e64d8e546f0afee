import type { ModelDraft, ModelPrice } from "@/lib/contract/operations/models";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import { amountOf } from "@/lib/money/amount";
import type { CatalogueModel } from "./catalogue";
import { SANDBOX } from "./provider-directory";
import type { Source } from "./source";

/** A model's definition: in the code, the configuration file or the database. */
export interface ModelEntry extends Omit<ModelDraft, "price"> {
  readonly price?: ModelPrice | undefined;
  readonly description?: string | undefined;
  /** The model's own defaults, before those of the whole gateway. */
  readonly rate_limits?: Partial<RateLimitValues> | undefined;
}

export const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
const USUAL_OUTPUT_TOKENS = 1_024;

/** The catalogue's model for a definition. `defaults` are the rate limits of a model that defines none. */
export function toCatalogueModel(
  entry: ModelEntry,
  from: { source: Source; defaults: RateLimitValues; createdAtMs: number },
): CatalogueModel {
  const written = { rate: amountOf(entry.rate), price: entry.price ? toPrice(entry.price) : null };
  const maxOutputTokens = entry.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  return {
    id: entry.id,
    family: entry.family,
    description: entry.description ?? null,
    ...written,
    written,
    maxOutputTokens,
    contextWindow: entry.context_window ?? null,
    usualOutputTokens: Math.min(USUAL_OUTPUT_TOKENS, maxOutputTokens),
    routes: entry.routes,
    source: from.source,
    sandbox: entry.routes.some(({ provider }) => provider === SANDBOX),
    defaultRateLimits: { ...from.defaults, ...entry.rate_limits },
    createdAtMs: from.createdAtMs,
  };
}

export function toPrice(price: ModelPrice): NonNullable<CatalogueModel["price"]> {
  return { inputPer1m: amountOf(price.input_per_1m), outputPer1m: amountOf(price.output_per_1m) };
}
