"use client";

import { useWatch } from "react-hook-form";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { ApiCallSection } from "@/components/ui/text/snippet-tabs";
import { writesTokens } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { changeModel } from "./actions";
import { PriceFields } from "./model-fields";
import { listSentPrices, type TypedModel, toModelChange, toTypedModel } from "./model-form";
import { changeModelSnippets } from "./model-snippets";
import { findUnlikelyPrices } from "./prices/find-unlikely-prices";
import type { lastMonthRead } from "./prices/last-month";
import { TypedLastMonthPreview } from "./prices/last-month-preview";
import { flatPriceNames, isOptionalPrice, priceLabels, tokenPriceFieldNames } from "./prices/price-fields";
import { PricePreview, PriceWarnings } from "./prices/price-preview";

const written = lateSchema<TypedModel>(() =>
  import("./model-form-schema").then((file) => file.modelFormSchema),
);
const transcription = lateSchema<TypedModel>(() =>
  import("./model-form-schema").then((file) => file.transcriptionFormSchema),
);

type EditModelFormProps = {
  model: OrganizationModel;
  baseUrl: string;
  canWrite: boolean;
  /** Null if the person can't see usage. */
  lastMonth: ReturnType<typeof lastMonthRead> | null;
};

export function EditModelForm({ model, baseUrl, canWrite, lastMonth }: EditModelFormProps) {
  const saved = toTypedModel(model);
  const inputOnly = !writesTokens(model.family);
  const form = useLateEditForm(model.family === "transcription" ? transcription : written, saved);
  const { changed, ...saving } = useSaveChanges(form, {
    saved: model,
    action: changeModel,
    refetch: ["listOrganizationModels"],
    names: tokenPriceFieldNames,
    toInput: (change, against) => ({
      modelId: model.id,
      change: toModelChange(change, toTypedModel(against), model.family, against.price?.tools),
      version: against.version,
    }),
    toValues: toTypedModel,
  });
  const typed = useWatch({ control: form.control }) as TypedModel;
  const shown = changed.length > 0 ? changed : listSentPrices(typed, model.family);
  const change = toModelChange(
    Object.fromEntries(shown.map((name) => [name, typed[name]])),
    typed,
    model.family,
    model.price?.tools,
  );
  // A price can't be undone if there was none before, since prices can't be removed.
  const { outcome } = saving;
  const before = Object.entries(outcome?.before ?? {});
  const canUndo = before.every(([name, value]) => Boolean(value) || isOptionalPrice(name));

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name="price"
        what={`the model ${model.id}`}
        isEdit
        labels={priceLabels}
        className="grid gap-5"
        onSubmit={saving.save}
      >
        {!canWrite && <ReadOnlyNotice what="these prices" permission="api.models.write" />}
        <PriceFields
          control={form.control}
          family={model.family}
          names={flatPriceNames}
          currency={model.currency}
          disabled={!canWrite}
        />
        <PriceWarnings warnings={findUnlikelyPrices(typed, saved)} />
        <PricePreview typed={typed} saved={saved} currency={model.currency} inputOnly={inputOnly} />
        {lastMonth && <TypedLastMonthPreview read={lastMonth} model={model} typed={typed} />}
        <p className="text-sm text-muted">
          A change applies from the next call on. Calls in progress keep their price.
        </p>
        <SaveFooter
          saving={saving}
          labels={priceLabels}
          nothing="None"
          canUndo={canUndo}
          canWrite={canWrite}
        />
      </Form>
      {canWrite && (
        <div className="xl:sticky xl:top-20 xl:self-start">
          <ApiCallSection label="Model by API" snippets={changeModelSnippets(baseUrl, model.id, change)} />
        </div>
      )}
    </div>
  );
}
