"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { createScheduledPrice } from "@/app/(console)/models/actions";
import { PriceFields, UnitPriceFields } from "@/app/(console)/models/model-fields";
import { toAudioPrice, toTypedModel } from "@/app/(console)/models/model-form";
import { audioPriceSchema, batchRateSchema, bothAudioPrices } from "@/app/(console)/models/model-form-schema";
import { typedClasses, wholeLongContext } from "@/app/(console)/models/prices/class-schemas";
import { findUnlikelyPrices, warnAboutUnitPrice } from "@/app/(console)/models/prices/find-unlikely-prices";
import type { LastMonthReads } from "@/app/(console)/models/prices/last-month";
import {
  LastMonthUnitsPreview,
  TypedLastMonthPreview,
} from "@/app/(console)/models/prices/last-month-preview";
import {
  choosePriceUnit,
  classFieldNames,
  flatPriceNames,
  isPricedByUnit,
  type PriceFieldName,
  priceFieldNames,
  priceLabels,
} from "@/app/(console)/models/prices/price-fields";
import { PriceWarnings } from "@/app/(console)/models/prices/price-preview";
import { describeQualities, toClassPrices } from "@/app/(console)/models/prices/typed-classes";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { fromLocalInput, nameZone } from "@/components/ui/time/describe-time";
import { nowMs } from "@/components/ui/time/server-clock";
import { priceUnits } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { ScheduledPriceDraft } from "@/lib/contract/operations/models/scheduled-prices";
import { decimal, positiveDecimal } from "@/lib/contract/schema";

type SchedulePriceProps = {
  model: OrganizationModel;
  /** Null if the person can't see usage. */
  lastMonth: LastMonthReads | null;
  close: () => void;
};

/**
 * Schedules a change of a model's prices. Changes are those from the prices that the form opened with: a price that
 * another member changes meanwhile is not changed back, except one that is set together with a changed one.
 */
export function SchedulePrice({ model: current, lastMonth, close }: SchedulePriceProps) {
  const [model] = useState(current);
  const saved = toTypedScheduledPrice(model);
  const form = useNewForm<TypedScheduledPrice>(buildScheduledPriceSchema(model), saved);
  const create = useCreate(createScheduledPrice, {
    refetch: ["listScheduledPrices"],
    onSuccess: () => {
      toast({ message: "Price scheduled" });
      close();
    },
    onError: ({ problem }) => showProblem(form, scheduledPriceNames, problem),
  });
  const typed = useWatch({ control: form.control }) as TypedScheduledPrice;
  return (
    <FormDialog
      form={form}
      name="new-scheduled-price"
      what="the scheduled price"
      labels={scheduledPriceLabels}
      title={`Schedule a price of ${model.id}`}
      description={describeEffect(model)}
      submit="Schedule price"
      pending={create.isPending}
      close={close}
      onSubmit={(values) => create.mutate({ modelId: model.id, body: toScheduledPriceDraft(values, model) })}
    >
      <TextField
        control={form.control}
        name="effective_at"
        type="datetime-local"
        label={scheduledPriceLabels.effective_at}
        apiName="effective_at"
        help={`In the time zone ${nameZone()}.`}
      />
      {isPricedByUnit(model) ? (
        <>
          <UnitPriceFields
            control={form.control}
            names={{ rate: "rate", amount: "amount" }}
            currency={model.currency}
            unit={choosePriceUnit(model.family, model.unit_price)}
          />
          <PriceWarnings
            warnings={warnAboutUnitPrice(typed, saved, choosePriceUnit(model.family, model.unit_price))}
          />
          {lastMonth && (
            <LastMonthUnitsPreview
              read={lastMonth.units}
              typed={typed}
              present={model.unit_price}
              currency={model.currency}
            />
          )}
        </>
      ) : (
        <>
          <PriceFields
            control={form.control}
            family={model.family}
            names={flatPriceNames}
            currency={model.currency}
          />
          <PriceWarnings warnings={findUnlikelyPrices(typed, saved)} />
          {lastMonth && <TypedLastMonthPreview read={lastMonth.tokens} model={model} typed={typed} />}
        </>
      )}
    </FormDialog>
  );
}

/** Says which prices are set although only another one was changed. */
function describeEffect(model: OrganizationModel): string {
  const changed = "Only what you change here takes effect then.";
  if (!isPricedByUnit(model)) return `${changed} Input and output prices are set together.`;
  const qualities = describeQualities(model.unit_price, model.currency);
  if (qualities === "") return changed;
  return `${changed} With a new list price, the prices of other qualities are set to what they are now: ${qualities}.`;
}

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
