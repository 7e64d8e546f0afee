import * as z from "zod/mini";
import type { ModelChange, OrganizationModel } from "@/lib/contract/operations/models";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import type { TypedPrice } from "./price-effect";

/** What the form of a model holds: the two list prices apart, since people change them one by one. */
export const modelForm = z.strictObject({
  rate: positiveDecimal,
  input_per_1m: decimal,
  output_per_1m: decimal,
});
export const modelFieldNames = ["rate", "input_per_1m", "output_per_1m"] as const;

/** Empty prices where the model has none. */
export function formOf({ rate, price }: OrganizationModel): TypedPrice {
  return { rate, input_per_1m: price?.input_per_1m ?? "", output_per_1m: price?.output_per_1m ?? "" };
}

/** The API takes both list prices together: the one that was not changed is sent as it is. */
export function toModelChange({ rate, ...prices }: Partial<TypedPrice>, saved: TypedPrice): ModelChange {
  const { input_per_1m, output_per_1m } = { ...saved, ...prices };
  return {
    ...(rate !== undefined && { rate }),
    ...(Object.keys(prices).length > 0 && { price: { input_per_1m, output_per_1m } }),
  };
}
