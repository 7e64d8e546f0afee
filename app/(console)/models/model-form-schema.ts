import * as z from "zod/mini";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { AudioPrice, ModelChange, OrganizationModel } from "@/lib/contract/operations/models/models";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedPrice } from "./prices/price-effect";
import {
  classFieldNames,
  hasPriceField,
  type TokenPriceFieldName,
  tokenPriceFieldNames,
} from "./prices/price-fields";
import { toClassPrices, toTypedClasses, typedClasses, wholeLongContext } from "./prices/typed-classes";

/** The typed batch rate, or nothing. */
export const batchRateSchema = z.string().check(
  z.refine((text) => text === "" || z.safeParse(positiveDecimal, text).success, {
    message: "must be a number greater than 0, or empty",
  }),
);

/** A typed price of audio, or nothing. */
export const audioPriceSchema = z.string().check(
  z.refine((text) => text === "" || z.safeParse(decimal, text).success, {
    message: "must be a number, or empty",
  }),
);

/** Prices of audio are set together, or neither. */
export const bothAudioPrices = [
  z.refine<TypedAudio>(({ audio_input, audio_output }) => audio_input !== "" || audio_output === "", {
    path: ["audio_input"],
    message: "is required with a price of audio output; 0 is free",
  }),
  z.refine<TypedAudio>(({ audio_input, audio_output }) => audio_output !== "" || audio_input === "", {
    path: ["audio_output"],
    message: "is required with a price of audio input; 0 is free",
  }),
] as const;

const typedModelSchema = z.strictObject({
  rate: positiveDecimal,
  batch_rate: batchRateSchema,
  input_per_1m: decimal,
  output_per_1m: decimal,
  audio_input: audioPriceSchema,
  audio_output: audioPriceSchema,
  ...typedClasses,
} satisfies Record<TokenPriceFieldName, unknown>);
/** Has separate fields for the two list prices, since people change them separately. */
export const modelFormSchema = typedModelSchema.check(...bothAudioPrices, ...wholeLongContext);
/** The same for transcription models, which write text alone: their price of audio output stays empty. */
export const transcriptionFormSchema = typedModelSchema;

/** The form of a model that is priced by the unit. */
export const unitPriceForm = z.strictObject({ rate: positiveDecimal, amount: decimal });

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
