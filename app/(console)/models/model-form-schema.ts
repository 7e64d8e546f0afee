import * as z from "zod/mini";
import type { ModelChange, OrganizationModel } from "@/lib/contract/operations/models";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedPrice } from "./price-effect";

/** The form's values. An empty batch rate is the model rate. */
export type TypedModel = TypedPrice & { batch_rate: string };

/** The typed batch rate, or nothing. */
export const batchRateText = z.string().check(
  z.refine((text) => text === "" || z.safeParse(positiveDecimal, text).success, {
    message: "must be a number greater than 0, or empty",
  }),
);

/** The form's values. It has separate fields for the two list prices, since people change them separately. */
export const modelForm = z.strictObject({
  rate: positiveDecimal,
  batch_rate: batchRateText,
  input_per_1m: decimal,
  output_per_1m: decimal,
});
export const modelFieldNames = ["rate", "batch_rate", "input_per_1m", "output_per_1m"] as const;

/** Prices are empty if the model has none. */
export function formOf({ rate, batch_rate, price }: OrganizationModel): TypedModel {
  const { input_per_1m = "", output_per_1m = "" } = price ?? {};
  return { rate, batch_rate: batch_rate ?? "", input_per_1m, output_per_1m };
}

/** The API takes both list prices together, so an unchanged one is sent too. */
export function toModelChange(
  { rate, batch_rate, ...prices }: Partial<TypedModel>,
  saved: TypedPrice,
): ModelChange {
  const { input_per_1m, output_per_1m } = { ...saved, ...prices };
  return {
    ...(rate !== undefined && { rate }),
    ...(batch_rate !== undefined && { batch_rate: batch_rate || null }),
    ...(Object.keys(prices).length > 0 && { price: { input_per_1m, output_per_1m } }),
  };
}
