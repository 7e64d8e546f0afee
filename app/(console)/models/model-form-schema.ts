import * as z from "zod/mini";
import type { ModelChange, OrganizationModel } from "@/lib/contract/operations/models";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedPrice } from "./price-effect";

/** The form's values. An empty batch rate is the model rate, and empty prices of audio are those of text. */
export type TypedModel = TypedPrice & { batch_rate: string; audio_input: string; audio_output: string };

/** The typed batch rate, or nothing. */
export const batchRateText = z.string().check(
  z.refine((text) => text === "" || z.safeParse(positiveDecimal, text).success, {
    message: "must be a number greater than 0, or empty",
  }),
);

/** A typed price of audio, or nothing. */
const audioText = z.string().check(
  z.refine((text) => text === "" || z.safeParse(decimal, text).success, {
    message: "must be a number, or empty",
  }),
);

/** The form's values. It has separate fields for the two list prices, since people change them separately. */
export const modelForm = z
  .strictObject({
    rate: positiveDecimal,
    batch_rate: batchRateText,
    input_per_1m: decimal,
    output_per_1m: decimal,
    audio_input: audioText,
    audio_output: audioText,
  })
  .check(
    z.refine(({ audio_input, audio_output }) => audio_input !== "" || audio_output === "", {
      path: ["audio_input"],
      message: "is required with a price of audio output; 0 is free",
    }),
    z.refine(({ audio_input, audio_output }) => audio_output !== "" || audio_input === "", {
      path: ["audio_output"],
      message: "is required with a price of audio input; 0 is free",
    }),
  );
export const modelFieldNames = [
  "rate",
  "batch_rate",
  "input_per_1m",
  "output_per_1m",
  "audio_input",
  "audio_output",
] as const;

/** Prices are empty if the model has none. */
export function formOf({ rate, batch_rate, price, audio_price }: OrganizationModel): TypedModel {
  const { input_per_1m = "", output_per_1m = "" } = price ?? {};
  const { input_per_1m: audio_input = "", output_per_1m: audio_output = "" } = audio_price ?? {};
  return { rate, batch_rate: batch_rate ?? "", input_per_1m, output_per_1m, audio_input, audio_output };
}

/** The API takes two list prices together, so an unchanged one is sent too. */
export function toModelChange(
  { rate, batch_rate, audio_input, audio_output, ...prices }: Partial<TypedModel>,
  saved: TypedPrice & Partial<TypedModel>,
): ModelChange {
  const { input_per_1m, output_per_1m } = { ...saved, ...prices };
  const [heard = "", spoken = ""] = [audio_input ?? saved.audio_input, audio_output ?? saved.audio_output];
  const hasAudio = heard !== "" || spoken !== "";
  const audio_price = hasAudio ? { input_per_1m: heard, output_per_1m: spoken } : null;
  return {
    ...(rate !== undefined && { rate }),
    ...(batch_rate !== undefined && { batch_rate: batch_rate || null }),
    ...(Object.keys(prices).length > 0 && { price: { input_per_1m, output_per_1m } }),
    ...((audio_input ?? audio_output) !== undefined && { audio_price }),
  };
}
