import {
  isBatchFamily,
  isUnitFamily,
  type ModelFamily,
  type PriceUnit,
  priceUnits,
  type UnitFamily,
  writesTokens,
} from "@/lib/contract/calls/model-families";
import type { OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";

/** What a field of a price form says about itself. */
export interface PriceField {
  readonly label: string;
  /** The field's name in the API. */
  readonly apiName: string;
  /** A rate multiplies list prices; a price is an amount of money; a length is a number of tokens. */
  readonly kind: "rate" | "price" | "length";
  /** Set for fields that may be empty: what the model then has. */
  readonly placeholder?: string;
  readonly help?: string;
}

/** The fields of all price forms, in their order. */
export const priceFields = {
  rate: {
    label: "Model rate",
    apiName: "rate",
    kind: "rate",
    help: "Greater than 0. At 0.20, a payment of 10.00 is worth 50.00.",
  },
  batch_rate: {
    label: "Batch rate",
    apiName: "batch_rate",
    kind: "rate",
    placeholder: "Same as the model rate",
    help: "The model rate of batch lines, such as half of it. Left empty, they cost as much as live calls.",
  },
  input_per_1m: { label: "Input list price", apiName: "input_per_1m", kind: "price" },
  output_per_1m: { label: "Output list price", apiName: "output_per_1m", kind: "price" },
  audio_input: {
    label: "Audio input price",
    apiName: "audio_price.input_per_1m",
    kind: "price",
    placeholder: "Same as input",
    help: "Of the tokens that the provider reports as audio.",
  },
  audio_output: {
    label: "Audio output price",
    apiName: "audio_price.output_per_1m",
    kind: "price",
    placeholder: "Same as output",
    help: "A call’s hold uses the higher of the text and audio prices.",
  },
  cached_input: {
    label: "Cached input price",
    apiName: "cached_input_per_1m",
    kind: "price",
    placeholder: "Same as input",
    help: "Of the tokens that the provider read from its cache.",
  },
  cache_write_5m: {
    label: "Cache write price, 5 min",
    apiName: "cache_write_5m_per_1m",
    kind: "price",
    placeholder: "Same as input",
    help: "Of the tokens that it wrote to its cache.",
  },
  cache_write_1h: {
    label: "Cache write price, 1 h",
    apiName: "cache_write_1h_per_1m",
    kind: "price",
    placeholder: "Same as input",
  },
  long_from: {
    label: "Long prompts begin above",
    apiName: "long_context_from",
    kind: "length",
    placeholder: "No other prices",
    help: "Such as 200,000. A call with a longer prompt is charged at the prices below, all of it.",
  },
  long_input: {
    label: "Long prompt input price",
    apiName: "long_context.input_per_1m",
    kind: "price",
    placeholder: "Same as input",
  },
  long_output: {
    label: "Long prompt output price",
    apiName: "long_context.output_per_1m",
    kind: "price",
    placeholder: "Same as output",
  },
  long_cached_input: {
    label: "Long prompt cached price",
    apiName: "long_context.cached_input_per_1m",
    kind: "price",
    placeholder: "Same as cached input",
  },
  long_cache_write_5m: {
    label: "Long prompt write, 5 min",
    apiName: "long_context.cache_write_5m_per_1m",
    kind: "price",
    placeholder: "Same as cache write",
  },
  long_cache_write_1h: {
    label: "Long prompt write, 1 h",
    apiName: "long_context.cache_write_1h_per_1m",
    kind: "price",
    placeholder: "Same as cache write",
  },
  priority_rate: {
    label: "Priority rate",
    apiName: "priority_rate",
    kind: "rate",
    placeholder: "No priority",
    help: "The model rate of calls with “service_tier”: “priority”, which are refused without one.",
  },
  amount: { label: "List price", apiName: "unit_price.amount", kind: "price" },
} as const satisfies Record<string, PriceField>;

export type PriceFieldName = keyof typeof priceFields;
export type TokenPriceFieldName = Exclude<PriceFieldName, "amount">;

export const priceFieldNames = Object.keys(priceFields) as PriceFieldName[];
/** The fields of models that are priced by tokens. */
export const tokenPriceFieldNames = priceFieldNames.filter(
  (name): name is TokenPriceFieldName => name !== "amount",
);

/** The fields' names in a form that has one flat value for each. */
export const flatPriceNames = Object.fromEntries(tokenPriceFieldNames.map((name) => [name, name])) as {
  readonly [Name in TokenPriceFieldName]: Name;
};

export const priceLabels = Object.fromEntries(
  Object.entries(priceFields).map(([name, { label }]) => [name, label]),
) as Record<PriceFieldName, string>;

export function isOptionalPrice(name: string): boolean {
  return Object.entries(priceFields).some(([field, texts]) => field === name && "placeholder" in texts);
}

/** The prices of classes, which stand behind More prices with those of audio. */
export const classFieldNames = [
  "cached_input",
  "cache_write_5m",
  "cache_write_1h",
  "long_from",
  "long_input",
  "long_output",
  "long_cached_input",
  "long_cache_write_5m",
  "long_cache_write_1h",
  "priority_rate",
] as const satisfies readonly TokenPriceFieldName[];
export type ClassFieldName = (typeof classFieldNames)[number];

/** Whether models of a family that are priced by tokens have a price. */
export function hasPriceField(family: ModelFamily, name: TokenPriceFieldName): boolean {
  if (name === "batch_rate") return isBatchFamily(family);
  if (name === "output_per_1m") return writesTokens(family);
  if (name === "audio_input") return family === "chat" || family === "transcription";
  if (name === "audio_output") return family === "chat";
  if (classFieldNames.some((field) => field === name)) return family === "chat";
  return true;
}

/** The unit that a model's price is for: that of its price or, before it has one, the first of its family. */
export function choosePriceUnit(family: UnitFamily, price: Pick<UnitPrice, "unit"> | null): PriceUnit {
  return price?.unit ?? priceUnits[family][0];
}

/** A model that is priced by the unit. */
export type UnitModel = OrganizationModel & { family: UnitFamily };

/** Whether a model is priced by the unit, or will be once it has a price. */
export function isPricedByUnit(model: OrganizationModel): model is UnitModel {
  return isUnitFamily(model.family) && model.price === null;
}
