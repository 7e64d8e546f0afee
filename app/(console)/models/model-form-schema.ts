import * as z from "zod/mini";
import type { ModelChange, OrganizationModel } from "@/lib/contract/operations/models";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedPrice } from "./price-effect";

/** The form's values. It has separate fields for the two list prices, since people change them separately. */
export const modelForm = z.strictObject({
  rate: positiveDecimal,
  input_per_1m: decimal,
  output_per_1m: decimal,
});
export const modelFieldNames = ["rate", "input_per_1m", "output_per_1m"] as const;

/** Prices are empty if the model has none. */
export function formOf({ rate, price }: OrganizationModel): TypedPrice {
  return { rate, input_per_1m: price?.input_per_1m ?? "", output_per_1m: price?.output_per_1m ?? "" };
}

/** The API takes both list prices together, so an unchanged one is sent too. */
export function toModelChange({ rate, ...prices }: Partial<TypedPrice>, saved: TypedPrice): ModelChange {
  const { input_per_1m, output_per_1m } = { ...saved, ...prices };
  return {
    ...(rate !== undefined && { rate }),
    ...(Object.keys(prices).length > 0 && { price: { input_per_1m, output_per_1m } }),
  };
}
