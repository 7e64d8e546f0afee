"use client";

import { type Control, type FieldPath, useWatch } from "react-hook-form";
import { modelReads } from "@/components/models/model-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { TextLink } from "@/components/ui/links/text-link";
import { NumberField } from "@/components/ui/number-fields/number-field";
import { paths } from "@/lib/console/paths";
import {
  canBePricedByTokens,
  type ModelFamily,
  modelFamilies,
  type PriceUnit,
  writesTokens,
} from "@/lib/contract/calls/model-families";
import { servesFamily } from "@/lib/contract/calls/provider-protocols";
import { PriceFields, UnitPriceFields } from "../model-fields";
import { type ClassFieldName, classFieldNames, priceLabels } from "../prices/price-fields";
import { familyWords, isPricedByTokens, listPriceUnits, type NewModel } from "./new-model";

const classNames = {
  cached_input: "price.cached_input_per_1m",
  cache_write_5m: "price.cache_write_5m_per_1m",
  cache_write_1h: "price.cache_write_1h_per_1m",
  long_from: "price.long_context_from",
  long_input: "price.long_context.input_per_1m",
  long_output: "price.long_context.output_per_1m",
  long_cached_input: "price.long_context.cached_input_per_1m",
  long_cache_write_5m: "price.long_context.cache_write_5m_per_1m",
  long_cache_write_1h: "price.long_context.cache_write_1h_per_1m",
  priority_rate: "price.priority_rate",
} as const satisfies Record<ClassFieldName, FieldPath<NewModel>>;
const classLabels = Object.fromEntries(
  classFieldNames.map((name) => [classNames[name], priceLabels[name]]),
) as Record<(typeof classNames)[ClassFieldName], string>;

/** Labels by the API's field names, in the order of the form. */
export const newModelLabels = {
  id: "Id",
  family: "Kind of model",
  "routes.0.provider": "Provider",
  "routes.0.model": "Model at the provider",
  rate: priceLabels.rate,
  batch_rate: priceLabels.batch_rate,
  "price.input_per_1m": priceLabels.input_per_1m,
  "price.output_per_1m": priceLabels.output_per_1m,
  "audio_price.input_per_1m": priceLabels.audio_input,
  "audio_price.output_per_1m": priceLabels.audio_output,
  ...classLabels,
  "unit_price.unit": "Priced by",
  "unit_price.amount": priceLabels.amount,
  max_output_tokens: "Max output tokens",
  context_window: "Context window",
};

const priceNames = {
  rate: "rate",
  batch_rate: "batch_rate",
  input_per_1m: "price.input_per_1m",
  output_per_1m: "price.output_per_1m",
  audio_input: "audio_price.input_per_1m",
  audio_output: "audio_price.output_per_1m",
  ...classNames,
} as const;

type NewModelFieldsProps = { control: Control<NewModel>; currency: string };

const families = modelFamilies.map((family) => ({ value: family, label: familyWords[family] }));

export function NewModelFields({ control, currency }: NewModelFieldsProps) {
  const family = useWatch({ control, name: "family" });
  const units = listPriceUnits(family);
  const unit = useWatch({ control, name: "unit_price.unit" });
  return (
    <>
      <SelectField
        control={control}
        name="family"
        label={newModelLabels.family}
        apiName="family"
        options={families}
        help="Decides which endpoints it answers, and how it is priced. Can’t be changed afterwards."
      />
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
      <PricedBy control={control} family={family} units={units} />
      {isPricedByTokens(family, unit) ? (
        <ByTokens control={control} currency={currency} family={family} />
      ) : (
        <UnitPriceFields
          control={control}
          names={{ rate: "rate", amount: "unit_price.amount" }}
          currency={currency}
          unit={units.find((one) => one === unit) ?? units[0] ?? ""}
        />
      )}
    </>
  );
}

type PricedByProps = { control: Control<NewModel>; family: ModelFamily; units: readonly PriceUnit[] };

/** What the list price is for, where there is a choice. */
function PricedBy({ control, family, units }: PricedByProps) {
  const byTokens = units.length > 0 && canBePricedByTokens(family);
  if (units.length + Number(byTokens) < 2) return null;
  return (
    <SelectField
      control={control}
      name="unit_price.unit"
      label={newModelLabels["unit_price.unit"]}
      apiName="unit_price.unit"
      options={[
        ...units.map((unit) => ({ value: unit, label: `The ${unit}` })),
        ...(byTokens ? [{ value: "token", label: "Tokens" }] : []),
      ]}
      help={
        byTokens &&
        "By tokens where the provider reports tokens of audio and text, as gpt-4o-transcribe does."
      }
    />
  );
}

type ByTokensProps = NewModelFieldsProps & { family: ModelFamily };

function ByTokens({ control, currency, family }: ByTokensProps) {
  return (
    <>
      <PriceFields control={control} family={family} names={priceNames} currency={currency} />
      {writesTokens(family) && (
        <NumberField
          control={control}
          name="max_output_tokens"
          label={newModelLabels.max_output_tokens}
          apiName="max_output_tokens"
          unit="tokens"
          optional
          help="The longest answer. Left empty, the context window is the limit."
        />
      )}
      {family !== "moderation" && family !== "transcription" && (
        <NumberField
          control={control}
          name="context_window"
          label={newModelLabels.context_window}
          apiName="context_window"
          unit="tokens"
          placeholder="128,000 by default"
          optional
          help={
            family === "chat"
              ? "The most it reads and writes in one call. Calls with files or remote images hold this much, since their size isn’t known in advance."
              : "The most tokens of one text."
          }
        />
      )}
    </>
  );
}

/** A select, or a text field for people who can add models but not see providers. */
function ProviderField({ control }: { control: Control<NewModel> }) {
  const providers = useRead(...modelReads.providers);
  const family = useWatch({ control, name: "family" });
  const texts = { label: newModelLabels["routes.0.provider"], apiName: "routes[0].provider" };
  if (!providers.data) {
    return (
      <TextField control={control} name="routes.0.provider" placeholder="Such as ollama" mono {...texts} />
    );
  }
  return (
    <SelectField
      control={control}
      name="routes.0.provider"
      placeholder="Choose one"
      options={providers.data.data
        .filter(({ kind, task_api }) => servesFamily(kind, task_api?.makes, family))
        .map(({ id, kind }) => ({
          value: id,
          label: kind === "sandbox" ? `${id} (sandbox, not an AI)` : id,
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
      {...texts}
    />
  );
}
