import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import type {
  ModelDraft,
  ModelPrice,
  ModelPriceDraft,
  ModelRoute,
  UnitPrice,
} from "@/lib/contract/operations/models/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { readPriceFields, writePriceFields } from "@/lib/money/price-fields";
import type { CatalogueModel, CatalogueUnitPrice, Source } from "./catalogue";
import { SANDBOX } from "./providers/provider-directory";

/** A model's definition, in the code, the configuration file or the database. */
export interface ModelEntry extends ModelDraft {
  readonly description?: string | undefined;
  /** The model's own default limits, which override the gateway's. */
  readonly rate_limits?: Partial<RateLimitValues> | undefined;
}

const TYPICAL_OUTPUT_TOKENS = 1_024;

/** What prompts of a family have, whichever model it is. */
const usualModalities: Partial<Record<ModelEntry["family"], readonly string[]>> = {
  embedding: ["text"],
  moderation: ["text"],
  speech: ["text"],
  music: ["text"],
  transcription: ["audio"],
};

/** Makes a catalogue model from a definition. `defaults` are the rate limits of a model that defines none. */
export function toCatalogueModel(
  entry: ModelEntry,
  from: { source: Source; defaults: RateLimitValues; createdAtMs: number },
): CatalogueModel {
  const prices = {
    rate: parseCheckedAmount(entry.rate),
    batchRate: toRate(entry.batch_rate ?? null),
    price: entry.price ? toPrice(entry.price) : null,
    unitPrice: entry.unit_price ? toUnitPrice(entry.unit_price) : null,
    audioPrice: entry.audio_price ? toPrice(entry.audio_price) : null,
  };
  const maxOutputTokens = entry.max_output_tokens ?? null;
  return {
    id: entry.id,
    family: entry.family,
    description: entry.description ?? null,
    ...prices,
    definedPrices: prices,
    pricedAtMs: null,
    maxOutputTokens,
    contextWindow: entry.context_window ?? null,
    inputModalities: entry.input_modalities ?? usualModalities[entry.family] ?? null,
    typicalOutputTokens: Math.min(TYPICAL_OUTPUT_TOKENS, maxOutputTokens ?? TYPICAL_OUTPUT_TOKENS),
    ...toRouted(entry.routes),
    definedRoutes: entry.routes,
    routedAtMs: null,
    projects: entry.projects ? new Set(entry.projects) : null,
    source: from.source,
    defaultRateLimits: { ...from.defaults, ...entry.rate_limits },
    definedRateLimits: entry.rate_limits ?? {},
    createdAtMs: from.createdAtMs,
  };
}

/** What a model's routes decide. */
export function toRouted(routes: readonly ModelRoute[]): Pick<CatalogueModel, "routes" | "sandbox"> {
  return { routes, sandbox: routes.some(({ provider }) => provider === SANDBOX) };
}

export function toRate(text: string | null): CatalogueModel["batchRate"] {
  return text === null ? null : parseCheckedAmount(text);
}

/** A price as the API shows it: a model that writes no tokens may be given none for output. */
export function completePrice({
  input_per_1m,
  output_per_1m = "0",
  ...classes
}: ModelPriceDraft): ModelPrice {
  return { input_per_1m, output_per_1m, ...classes };
}

export function toPrice(draft: ModelPriceDraft): NonNullable<CatalogueModel["price"]> {
  const { input_per_1m, output_per_1m, ...fields } = completePrice(draft);
  const classes = readPriceFields(fields, parseCheckedAmount);
  return {
    inputPer1m: parseCheckedAmount(input_per_1m),
    outputPer1m: parseCheckedAmount(output_per_1m),
    ...(classes && { classes }),
  };
}

/** The provider's price of a call on a route; the model's price if the route has none. */
export function atRoutePrice(price: PriceSnapshot, route: Pick<ModelRoute, "price">): PriceSnapshot {
  if (!route.price) return price;
  const { tools } = price.classes ?? {};
  const { classes, ...tokens } = toPrice(route.price);
  return { ...price, ...tokens, classes: { ...classes, ...(tools && { tools }) } };
}

/** The same price in the API's form. */
export function writePrice({
  inputPer1m,
  outputPer1m,
  classes,
}: NonNullable<CatalogueModel["price"]>): ModelPrice {
  return {
    input_per_1m: formatAmount(inputPer1m),
    output_per_1m: formatAmount(outputPer1m),
    ...(classes && writePriceFields(classes, formatAmount)),
  };
}

export function toUnitPrice({ unit, amount, qualities = {} }: UnitPrice): CatalogueUnitPrice {
  const amounts = Object.entries(qualities).map(
    ([quality, text]) => [quality, parseCheckedAmount(text)] as const,
  );
  return { unit, amount: parseCheckedAmount(amount), qualities: Object.fromEntries(amounts) };
}

/** The same price in the API's form. */
export function writeUnitPrice({ unit, amount, qualities }: CatalogueUnitPrice): UnitPrice {
  const texts = Object.entries(qualities).map(([quality, nano]) => [quality, formatAmount(nano)] as const);
  const namedQualities = texts.length > 0 && { qualities: Object.fromEntries(texts) };
  return { unit, amount: formatAmount(amount), ...namedQualities };
}
