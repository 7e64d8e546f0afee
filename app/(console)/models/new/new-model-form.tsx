"use client";

import { useRouter } from "next/navigation";
import { type FieldPath, useWatch } from "react-hook-form";
import { PricePreview, PriceWarnings, UnitPricePreview } from "@/app/(console)/models/prices/price-preview";
import { modelReads } from "@/components/models/model-reads";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Form, FormFooter } from "@/components/ui/form/form";
import { lateSchema, useLateNewForm } from "@/components/ui/form/late-schema";
import { LinkButton } from "@/components/ui/links/link-button";
import { ApiCallSection } from "@/components/ui/text/snippet-tabs";
import { paths } from "@/lib/console/paths";
import { writesTokens } from "@/lib/contract/calls/model-families";
import type { ModelDraft, UnitPrice } from "@/lib/contract/operations/models/models";
import { createModel } from "../actions";
import { createModelSnippets } from "../model-snippets";
import { findUnlikelyPrices, warnAboutUnitPrice } from "../prices/find-unlikely-prices";
import { type NewModel, toModelDraft } from "./new-model";
import { NewModelFields, newModelLabels } from "./new-model-fields";

const names = Object.keys(newModelLabels) as FieldPath<NewModel>[];

const noPrice = { input_per_1m: "", output_per_1m: "" };

const empty: NewModel = {
  id: "",
  family: "chat",
  routes: [{ provider: "", model: "" }],
  rate: "1.00",
  batch_rate: "",
  price: {
    ...noPrice,
    cached_input_per_1m: "",
    cache_write_5m_per_1m: "",
    cache_write_1h_per_1m: "",
    long_context_from: "",
    long_context: {
      ...noPrice,
      cached_input_per_1m: "",
      cache_write_5m_per_1m: "",
      cache_write_1h_per_1m: "",
    },
    priority_rate: "",
  },
  audio_price: noPrice,
  unit_price: { unit: "image", amount: "" },
};

const schema = lateSchema<NewModel>(() => import("./new-model-schema").then((file) => file.newModelSchema));

export function NewModelForm({ baseUrl }: { baseUrl: string }) {
  const router = useRouter();
  const currency = useRead(...modelReads.models).data?.data[0]?.currency ?? "";
  const form = useLateNewForm(schema, empty);
  const create = useCreate(createModel, {
    refetch: ["listOrganizationModels", "listRateLimits"],
    onSuccess: ({ id }) => {
      form.reset(empty);
      toast({ message: `Model “${id}” added` });
      router.push(paths.model(id));
    },
    onError: ({ problem }) => showProblem(form, names, problem),
  });
  const typed = useWatch({ control: form.control }) as NewModel;

  const draft = toModelDraft(typed);
  const prices = { ...noPrice, ...draft.price, rate: typed.rate };
  const { input_per_1m: audio_input = "", output_per_1m: audio_output = "" } = draft.audio_price ?? {};
  const warned = writesTokens(typed.family)
    ? { ...prices, audio_input, audio_output }
    : { ...prices, output_per_1m: "" };

  return (
    <div className="grid gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,560px)_minmax(0,1fr)]">
      <Form
        form={form}
        name="new-model"
        what="the new model"
        labels={newModelLabels}
        className="grid gap-5"
        isFrozen={create.isPending}
        // The schema has made them the request.
        onSubmit={(values) => create.mutate(values as ModelDraft)}
      >
        <NewModelFields control={form.control} currency={currency} />
        {draft.unit_price ? (
          <UnitPrices typed={{ ...draft.unit_price, rate: typed.rate }} currency={currency} />
        ) : (
          <>
            <PriceWarnings warnings={findUnlikelyPrices(warned, undefined)} />
            <PricePreview typed={prices} currency={currency} inputOnly={!writesTokens(typed.family)} />
          </>
        )}
        <FormFooter>
          <LinkButton variant="ghost" href={paths.models()}>
            Cancel
          </LinkButton>
          <Button type="submit" variant="primary" pending={create.isPending || create.isSuccess}>
            Add model
          </Button>
        </FormFooter>
      </Form>
      <div className="xl:sticky xl:top-20 xl:self-start">
        <ApiCallSection
          label="Model by API"
          snippets={createModelSnippets(baseUrl, toReadableDraft(draft))}
        />
      </div>
    </div>
  );
}

function UnitPrices({ typed, currency }: { typed: UnitPrice & { rate: string }; currency: string }) {
  return (
    <>
      <PriceWarnings warnings={warnAboutUnitPrice(typed, undefined, typed.unit)} />
      <UnitPricePreview typed={typed} unit={typed.unit} currency={currency} />
    </>
  );
}

/** Removes invalid numbers, which JSON can't represent. */
function toReadableDraft(draft: ModelDraft): object {
  const isRead = ([name, value]: [string, unknown]) =>
    typeof value === "number" || (name !== "max_output_tokens" && name !== "context_window");
  return Object.fromEntries(Object.entries(draft).filter(isRead));
}
