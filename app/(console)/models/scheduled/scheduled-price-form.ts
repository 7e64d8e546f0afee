import * as z from "zod/mini";
import { nowMs } from "@/components/ui/time/server-clock";
import { fromLocalInput } from "@/components/ui/time/zone-offset";
import { priceUnits } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { ScheduledPriceDraft } from "@/lib/contract/operations/models/scheduled-prices";
import { decimal, positiveDecimal } from "@/lib/contract/schema";
import { toAudioPrice, toTypedModel } from "../model-form";
import { audioPriceSchema, batchRateSchema, bothAudioPrices } from "../model-form-schema";
import { typedClasses, wholeLongContext } from "../prices/class-schemas";
import {
  classFieldNames,
  isPricedByUnit,
  type PriceFieldName,
  priceFieldNames,
  priceLabels,
} from "../prices/price-fields";
import { toClassPrices } from "../prices/typed-classes";

/**
 * A typed change of prices: a local time in the format of its field, and each price. Prices of other families are
 * empty.
 */
export type TypedScheduledPrice = Record<"effective_at" | PriceFieldName, string>;

export const scheduledPriceNames = ["effective_at", ...priceFieldNames] as const;
export const scheduledPriceLabels = { effective_at: "Takes effect", ...priceLabels };

/** Requires a future time and at least one price that differs from the present one. */
export function buildScheduledPriceSchema(model: OrganizationModel) {
  const isMedia = isPricedByUnit(model);
  const byTokens = isMedia ? z.string() : decimal;
  return z
    .strictObject({
      effective_at: z
        .string()
        .check(
          z.refine((local) => fromLocalInput(local) * 1000 > nowMs(), { message: "must be in the future" }),
        ),
      rate: positiveDecimal,
      batch_rate: batchRateSchema,
      input_per_1m: byTokens,
      output_per_1m: byTokens,
      audio_input: audioPriceSchema,
      audio_output: audioPriceSchema,
      ...typedClasses,
      amount: isMedia ? decimal : z.string(),
    })
    .check(
      ...(model.family === "transcription" ? [] : bothAudioPrices),
      ...wholeLongContext,
      z.refine((values) => Object.keys(toScheduledPriceDraft(values, model)).length > 1, {
        path: ["rate"],
        message: "Change the model rate or a price: these are the present ones.",
      }),
    );
}

/** Returns the present prices as initial values. */
export function toTypedScheduledPrice(model: OrganizationModel): TypedScheduledPrice {
  return { effective_at: "", ...toTypedModel(model), amount: model.unit_price?.amount ?? "" };
}

/** Returns the changes for the request. Prices of other qualities stay the same. */
export function toScheduledPriceDraft(
  values: TypedScheduledPrice,
  model: OrganizationModel,
): ScheduledPriceDraft {
  const { effective_at, rate, batch_rate, input_per_1m, output_per_1m, amount } = values;
  const { audio_input, audio_output } = values;
  const saved = toTypedScheduledPrice(model);
  const isAudioRepriced = audio_input !== saved.audio_input || audio_output !== saved.audio_output;
  const isRepriced = (["input_per_1m", "output_per_1m", ...classFieldNames] as const).some(
    (name) => values[name] !== saved[name],
  );
  const classes = toClassPrices(values, { tools: model.price?.tools });
  const unit = isPricedByUnit(model) ? priceUnits[model.family][0] : null;
  return {
    effective_at: fromLocalInput(effective_at),
    ...(rate !== saved.rate && { rate }),
    ...(batch_rate !== saved.batch_rate && { batch_rate: batch_rate || null }),
    ...(isRepriced && { price: { input_per_1m, output_per_1m, ...classes } }),
    ...(isAudioRepriced && { audio_price: toAudioPrice(values, model.family) }),
    ...(unit !== null && amount !== saved.amount && { unit_price: { unit, ...model.unit_price, amount } }),
  };
}
