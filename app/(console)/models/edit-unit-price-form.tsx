"use client";

import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import type { UnitFamily } from "@/lib/contract/calls/model-families";
import type { ModelChange, OrganizationModel, UnitPrice } from "@/lib/contract/operations/models/models";
import { changeModel } from "./actions";
import { UnitPriceFields } from "./model-fields";
import { warnAboutUnitPrice } from "./prices/find-unlikely-prices";
import type { lastMonthUnitsRead } from "./prices/last-month";
import { LastMonthUnitsPreview } from "./prices/last-month-preview";
import type { TypedUnitPrice } from "./prices/price-effect";
import { choosePriceUnit, priceLabels, type UnitModel } from "./prices/price-fields";
import { PriceWarnings, UnitPricePreview } from "./prices/price-preview";
import { describeQualities } from "./prices/typed-classes";

const schema = lateSchema<TypedUnitPrice>(() =>
  import("./model-form-schema").then((file) => file.unitPriceForm),
);
const names = ["rate", "amount"] as const;

type EditUnitPriceFormProps = {
  model: UnitModel;
  canWrite: boolean;
  /** Null if the person can't see usage. */
  lastMonth: ReturnType<typeof lastMonthUnitsRead> | null;
};

/** Changes the model rate and the list price of a unit. Prices of other qualities stay the same. */
export function EditUnitPriceForm({ model, canWrite, lastMonth }: EditUnitPriceFormProps) {
  const form = useLateEditForm(schema, toTypedUnitPrice(model));
  const saving = useSaveChanges(form, {
    saved: model,
    action: changeModel,
    refetch: ["listOrganizationModels"],
    names,
    toInput: (change, against) => ({
      modelId: model.id,
      change: toModelChange(change, model.family, against.unit_price),
      version: against.version,
    }),
    toValues: toTypedUnitPrice,
  });
  const unit = choosePriceUnit(model.family, model.unit_price);
  const saved = toTypedUnitPrice(model);
  const typed = useWatch({ control: form.control }) as TypedUnitPrice;
  // A price can't be undone if there was none before, since prices can't be removed.
  const { outcome } = saving;
  const canUndo = Object.values(outcome?.before ?? {}).every(Boolean);
  return (
    <Form
      form={form}
      name="unit-price"
      what={`the model ${model.id}`}
      isEdit
      labels={priceLabels}
      className="grid max-w-[560px] gap-5"
      onSubmit={saving.save}
    >
      {!canWrite && <ReadOnlyNotice what="these prices" permission="api.models.write" />}
      <UnitPriceFields
        control={form.control}
        names={{ rate: "rate", amount: "amount" }}
        currency={model.currency}
        unit={unit}
        disabled={!canWrite}
        help={<Qualities model={model} />}
      />
      <PriceWarnings warnings={warnAboutUnitPrice(typed, saved, unit)} />
      <UnitPricePreview typed={typed} saved={saved} unit={unit} currency={model.currency} />
      {lastMonth && (
        <LastMonthUnitsPreview
          read={lastMonth}
          typed={typed}
          present={model.unit_price}
          currency={model.currency}
        />
      )}
      <p className="text-sm text-muted">
        A change applies from the next call on. Calls in progress keep their price.
      </p>
      <SaveFooter saving={saving} labels={priceLabels} nothing="None" canUndo={canUndo} canWrite={canWrite} />
    </Form>
  );
}

function Qualities({ model: { unit_price, currency } }: { model: UnitModel }) {
  const qualities = describeQualities(unit_price, currency);
  if (qualities === "")
    return "The most it can come to is held first, and what it came to is charged once the model has answered.";
  return `At other qualities: ${qualities}. Change those with the API.`;
}

function toTypedUnitPrice({ rate, unit_price }: OrganizationModel): TypedUnitPrice {
  return { rate, amount: unit_price?.amount ?? "" };
}

/** Preserves the prices of other qualities as they are in `present`. */
function toModelChange(
  { rate, amount }: Partial<TypedUnitPrice>,
  family: UnitFamily,
  present: UnitPrice | null,
): ModelChange {
  return {
    ...(rate !== undefined && { rate }),
    ...(amount !== undefined && {
      unit_price: { ...present, unit: choosePriceUnit(family, present), amount },
    }),
  };
}
