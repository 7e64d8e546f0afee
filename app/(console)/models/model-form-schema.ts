import * as z from "zod/mini";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedAudio } from "./model-form";
import { typedClasses, wholeLongContext } from "./prices/class-schemas";
import type { TokenPriceFieldName } from "./prices/price-fields";

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
