import * as z from "zod/mini";
import { isUnitFamily, priceUnits } from "@/lib/contract/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import type { ScheduledPriceDraft } from "@/lib/contract/operations/scheduled-prices";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import { batchRateText, formOf } from "../model-form-schema";

/** The form's values: a local time in the format of its field, and each price. Prices of other families are empty. */
export type ScheduledPriceForm = {
  effective_at: string;
  rate: string;
  batch_rate: string;
  input_per_1m: string;
  output_per_1m: string;
  amount: string;
};
export const scheduledPriceNames = [
  "effective_at",
  "rate",
  "batch_rate",
  "input_per_1m",
  "output_per_1m",
  "amount",
] as const;
export const scheduledPriceLabels = {
  effective_at: "Takes effect",
  rate: "Model rate",
  batch_rate: "Batch rate",
  input_per_1m: "Input list price",
  output_per_1m: "Output list price",
  amount: "List price",
};

const secondsOf = (local: string) => Math.floor(new Date(local).getTime() / 1000);

/** Requires a future time and at least one price that differs from the present one. */
export function scheduledPriceForm(model: OrganizationModel) {
  const isMedia = isUnitFamily(model.family);
  const byTokens = isMedia ? z.string() : decimal;
  return z
    .strictObject({
      effective_at: z
        .string()
        .check(
          z.refine((local) => secondsOf(local) * 1000 > Date.now(), { message: "must be in the future" }),
        ),
      rate: positiveDecimal,
      batch_rate: batchRateText,
      input_per_1m: byTokens,
      output_per_1m: byTokens,
      amount: isMedia ? decimal : z.string(),
    })
    .check(
      z.refine((values) => Object.keys(draftOf(values, model)).length > 1, {
        path: ["rate"],
        message: "Change the model rate or a price: these are the present ones.",
      }),
    );
}

/** Returns the present prices as initial values. */
export function valuesOf(model: OrganizationModel): ScheduledPriceForm {
  const { rate, batch_rate, input_per_1m, output_per_1m } = formOf(model);
  const amount = model.unit_price?.amount ?? "";
  return { effective_at: "", rate, batch_rate, input_per_1m, output_per_1m, amount };
}

/** Returns the changes for the request. Prices of other qualities stay the same. */
export function draftOf(values: ScheduledPriceForm, model: OrganizationModel): ScheduledPriceDraft {
  const { effective_at, rate, batch_rate, input_per_1m, output_per_1m, amount } = values;
  const saved = valuesOf(model);
  const isRepriced = input_per_1m !== saved.input_per_1m || output_per_1m !== saved.output_per_1m;
  const unit = isUnitFamily(model.family) ? priceUnits[model.family][0] : null;
  return {
    effective_at: secondsOf(effective_at),
    ...(rate !== saved.rate && { rate }),
    ...(batch_rate !== saved.batch_rate && { batch_rate: batch_rate || null }),
    ...(isRepriced && { price: { input_per_1m, output_per_1m } }),
    ...(unit !== null && amount !== saved.amount && { unit_price: { unit, ...model.unit_price, amount } }),
  };
}
