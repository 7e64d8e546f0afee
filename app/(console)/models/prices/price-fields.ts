import { isBatchFamily, type ModelFamily, writesTokens } from "@/lib/contract/calls/model-families";

/** What a field of a price form says about itself. */
export interface PriceField {
  readonly label: string;
  /** The field's name in the API. */
  readonly apiName: string;
  /** A rate multiplies list prices; a price is an amount of money. */
  readonly kind: "rate" | "price";
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

/** Whether models of a family that are priced by tokens have a price. */
export function hasPriceField(family: ModelFamily, name: TokenPriceFieldName): boolean {
  if (name === "batch_rate") return isBatchFamily(family);
  if (name === "output_per_1m") return writesTokens(family);
  if (name === "audio_input") return family === "chat" || family === "transcription";
  if (name === "audio_output") return family === "chat";
  return true;
}
