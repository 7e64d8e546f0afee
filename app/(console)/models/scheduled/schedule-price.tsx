"use client";

import { useWatch } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/form/text-field";
import { useNewForm } from "@/components/form/use-schema-form";
import { toast } from "@/components/ui/toast";
import { isBatchFamily, isUnitFamily } from "@/lib/contract/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { createScheduledPrice } from "../actions";
import { findUnlikelyPrices, warnOfUnitPrice } from "../find-unlikely-prices";
import { PriceFields, UnitPriceFields } from "../model-fields";
import { PriceWarnings } from "../price-warnings";
import { unitOf } from "../unit-of";
import {
  draftOf,
  type ScheduledPriceForm,
  scheduledPriceForm,
  scheduledPriceLabels,
  scheduledPriceNames,
  valuesOf,
} from "./scheduled-price-form";

const names = { rate: "rate", input: "input_per_1m", output: "output_per_1m" } as const;
const batchedNames = { ...names, batchRate: "batch_rate" } as const;

export function SchedulePrice({ model, close }: { model: OrganizationModel; close: () => void }) {
  const saved = valuesOf(model);
  const form = useNewForm<ScheduledPriceForm>(scheduledPriceForm(model), saved);
  const create = useCreate(createScheduledPrice, {
    changes: ["listScheduledPrices"],
    onSuccess: () => {
      toast({ message: "Price scheduled" });
      close();
    },
    onError: ({ problem }) => showProblem(form, scheduledPriceNames, problem),
  });
  const typed = useWatch({ control: form.control }) as ScheduledPriceForm;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <FormDialog
      form={form}
      name="new-scheduled-price"
      what="the scheduled price"
      labels={scheduledPriceLabels}
      title={`Schedule a price of ${model.id}`}
      description="Only what you change here takes effect then."
      submit="Schedule price"
      pending={create.isPending}
      close={close}
      onSubmit={(values) => create.mutate({ modelId: model.id, draft: draftOf(values, model) })}
    >
      <TextField
        control={form.control}
        name="effective_at"
        type="datetime-local"
        label={scheduledPriceLabels.effective_at}
        apiName="effective_at"
        help={`In your time zone, ${zone}.`}
      />
      {isUnitFamily(model.family) ? (
        <>
          <UnitPriceFields
            control={form.control}
            names={{ rate: "rate", amount: "amount" }}
            currency={model.currency}
            unit={unitOf(model.family, model.unit_price)}
          />
          <PriceWarnings warnings={warnOfUnitPrice(typed, saved, unitOf(model.family, model.unit_price))} />
        </>
      ) : (
        <>
          <PriceFields
            control={form.control}
            names={isBatchFamily(model.family) ? batchedNames : names}
            currency={model.currency}
            inputOnly={model.family !== "chat"}
          />
          <PriceWarnings warnings={findUnlikelyPrices(typed, saved)} />
        </>
      )}
    </FormDialog>
  );
}
