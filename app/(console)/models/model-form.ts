import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { AudioPrice, ModelChange, OrganizationModel } from "@/lib/contract/operations/models/models";
import type { TypedPrice } from "./prices/price-effect";
import {
  classFieldNames,
  hasPriceField,
  type TokenPriceFieldName,
  tokenPriceFieldNames,
} from "./prices/price-fields";
import { toClassPrices, toTypedClasses } from "./prices/typed-classes";

/** The form's values. An empty batch rate is the model rate, and empty prices of audio are those of text. */
export type TypedModel = Record<TokenPriceFieldName, string>;

export type TypedAudio = Pick<TypedModel, "audio_input" | "audio_output">;

/** Prices are empty if the model has none. */
export function toTypedModel(model: OrganizationModel): TypedModel {
  const { family, rate, batch_rate, price, audio_price } = model;
  const { input_per_1m = "", output_per_1m = "" } = price ?? {};
  const { input_per_1m: audio_input = "", output_per_1m: spoken = "" } = audio_price ?? {};
  const audio_output = family === "transcription" ? "" : spoken;
  const tokens = { input_per_1m, output_per_1m, audio_input, audio_output, ...toTypedClasses(price) };
  return { rate, batch_rate: batch_rate ?? "", ...tokens };
}

/**
 * Returns the prices that a request with all of a model's prices carries. An empty one of audio has no value in the
 * API.
 */
export function listSentPrices(typed: TypedModel, family: ModelFamily): TokenPriceFieldName[] {
  return tokenPriceFieldNames.filter(
    (name) => hasPriceField(family, name) && (typed[name] !== "" || !isLeftOutEmpty(name)),
  );
}

/** An empty price of audio or of a class has no value in the API. */
function isLeftOutEmpty(name: TokenPriceFieldName): boolean {
  return name.startsWith("audio_") || classFieldNames.some((field) => field === name);
}

/** The price of audio that was typed; null for none. */
export function toAudioPrice(
  { audio_input: input, audio_output: output }: TypedAudio,
  family: ModelFamily,
): AudioPrice | null {
  if (input === "" && output === "") return null;
  return { input_per_1m: input, output_per_1m: family === "transcription" ? "0" : output };
}

/**
 * The API takes a price by tokens whole, so what is unchanged of it is sent too.
 * @param tools the saved prices of tools, which the form has no fields for.
 */
export function toModelChange(
  { rate, batch_rate, audio_input, audio_output, ...prices }: Partial<TypedModel>,
  saved: TypedPrice & Partial<TypedModel>,
  family: ModelFamily,
  tools?: NonNullable<OrganizationModel["price"]>["tools"],
): ModelChange {
  const { input_per_1m, output_per_1m, ...classes } = { ...saved, ...prices };
  const heard = audio_input ?? saved.audio_input ?? "";
  const spoken = audio_output ?? saved.audio_output ?? "";
  const audio_price = toAudioPrice({ audio_input: heard, audio_output: spoken }, family);
  return {
    ...(rate !== undefined && { rate }),
    ...(batch_rate !== undefined && { batch_rate: batch_rate || null }),
    ...(Object.keys(prices).length > 0 && {
      price: { input_per_1m, output_per_1m, ...toClassPrices(classes, { tools }) },
    }),
    ...((audio_input ?? audio_output) !== undefined && { audio_price }),
  };
}
