"use client";

import type { Control } from "react-hook-form";
import { NumberField } from "@/components/form/number-field";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { ModelDraft } from "@/lib/contract/operations/models";
import { PriceFields, priceLabels } from "./model-fields";
import { useProviders } from "./use-models";

/** Labels by the API's field names, in the order of the form. */
export const newModelLabels = {
  id: "Id",
  "routes.0.provider": "Provider",
  "routes.0.model": "Model at the provider",
  rate: priceLabels.rate,
  "price.input_per_1m": priceLabels.input,
  "price.output_per_1m": priceLabels.output,
  max_output_tokens: "Most output tokens",
  context_window: "Context window",
};

const priceNames = { rate: "rate", input: "price.input_per_1m", output: "price.output_per_1m" } as const;

type NewModelFieldsProps = { control: Control<ModelDraft>; currency: string };

export function NewModelFields({ control, currency }: NewModelFieldsProps) {
  return (
    <>
      <TextField
        control={control}
        name="id"
        label={newModelLabels.id}
        apiName="id"
        placeholder="Such as llama3.2"
        maxLength={200}
        mono
        help="What programs put in “model”. Can’t be changed afterwards."
      />
      <div className="grid items-start gap-5 sm:grid-cols-2 sm:gap-4">
        <ProviderField control={control} />
        <TextField
          control={control}
          name="routes.0.model"
          label={newModelLabels["routes.0.model"]}
          apiName="routes[0].model"
          placeholder="Such as llama3.2:latest"
          maxLength={200}
          mono
        />
      </div>
      <PriceFields control={control} names={priceNames} currency={currency} />
      <NumberField
        control={control}
        name="max_output_tokens"
        label={newModelLabels.max_output_tokens}
        apiName="max_output_tokens"
        unit="tokens"
        optional
        help="How long an answer can get. Left empty, the gateway chooses."
      />
      <NumberField
        control={control}
        name="context_window"
        label={newModelLabels.context_window}
        apiName="context_window"
        unit="tokens"
        placeholder="128,000"
        optional
        help="The most it reads and writes in one call. Files and remote images are held at that, since their size can’t be known."
      />
    </>
  );
}

/** A select, or a text field for people who can add models but not see providers. */
function ProviderField({ control }: { control: Control<ModelDraft> }) {
  const providers = useProviders();
  const words = { label: newModelLabels["routes.0.provider"], apiName: "routes[0].provider" };
  if (!providers.data) {
    return (
      <TextField control={control} name="routes.0.provider" placeholder="Such as ollama" mono {...words} />
    );
  }
  return (
    <SelectField
      control={control}
      name="routes.0.provider"
      placeholder="Choose one"
      options={providers.data.data.map(({ id, kind }) => ({
        value: id,
        label: kind === "sandbox" ? `${id} (not an AI)` : id,
      }))}
      help={
        <>
          Not there?{" "}
          <TextLink href={paths.models()} className="underline">
            Add a provider
          </TextLink>{" "}
          first.
        </>
      }
      {...words}
    />
  );
}
