"use client";

import { useState } from "react";
import { useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { nameZone } from "@/components/ui/time/zone-offset";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { createScheduledPrice } from "../actions";
import { PriceFields, UnitPriceFields } from "../model-fields";
import { describeQualities } from "../prices/describe-qualities";
import { findUnlikelyPrices, warnAboutUnitPrice } from "../prices/find-unlikely-prices";
import type { LastMonthReads } from "../prices/last-month";
import { LastMonthUnitsPreview, TypedLastMonthPreview } from "../prices/last-month-preview";
import { choosePriceUnit, flatPriceNames, isPricedByUnit } from "../prices/price-fields";
import { PriceWarnings } from "../prices/price-warnings";
import {
  buildScheduledPriceSchema,
  scheduledPriceLabels,
  scheduledPriceNames,
  type TypedScheduledPrice,
  toScheduledPriceDraft,
  toTypedScheduledPrice,
} from "./scheduled-price-form";

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
