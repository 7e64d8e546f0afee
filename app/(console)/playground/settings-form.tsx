"use client";

import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { type Control, useFormState, useWatch } from "react-hook-form";
import { DecimalField } from "@/components/form/decimal-field";
import { NumberField } from "@/components/form/number-field";
import { TextField } from "@/components/form/text-field";
import { TextareaField } from "@/components/form/textarea-field";
import { classNames } from "@/components/ui/class-names";
import { groupDigits } from "@/components/ui/group-digits";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { ModelField } from "./model-field";
import type { SettingsDraft } from "./settings-draft";

type SettingsFormProps = {
  control: Control<SettingsDraft>;
  /** Null where models can't be listed: then the model is typed. */
  models: readonly OrganizationModel[] | null;
};

/** What a prompt is sent with. On a phone it is folded to one line. */
export function SettingsForm({ control, models }: SettingsFormProps) {
  const panel = useId();
  const { errors } = useFormState({ control });
  const [isUnfolded, setIsUnfolded] = useState(models === null);
  const isOpen = isUnfolded || Object.keys(errors).some((name) => name !== "root");
  const model = useWatch({ control, name: "model" });
  const most = models?.find(({ id }) => id === model)?.max_output_tokens;
  return (
    <section aria-label="Settings">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setIsUnfolded(!isOpen)}
        className="flex h-11 w-full items-center gap-2 rounded-md border bg-surface px-3 text-left lg:hidden"
      >
        <span className="font-medium">Settings</span>
        <span className="min-w-0 flex-1 truncate text-right font-mono text-sm text-muted">{model}</span>
        <ChevronDown
          aria-hidden
          className={classNames("size-4 shrink-0 text-muted", isOpen && "rotate-180")}
        />
      </button>
      <div id={panel} className={classNames("grid gap-5 max-lg:pt-4", !isOpen && "max-lg:hidden")}>
        {models ? (
          <ModelField control={control} models={models} />
        ) : (
          <TextField
            control={control}
            name="model"
            label="Model"
            apiName="model"
            mono
            placeholder="Such as gpt-5-mini"
            help="As this gateway calls it: its models can't be listed here."
          />
        )}
        <TextareaField
          control={control}
          name="instruction"
          label="System instruction"
          rows={4}
          optional
          help="Sent before the conversation."
        />
        <DecimalField
          control={control}
          name="temperature"
          label="Temperature"
          apiName="temperature"
          placeholder="Model default"
          places={2}
          optional
          help="From 0, the same each time, to 2."
        />
        <NumberField
          control={control}
          name="max_tokens"
          label="Most output tokens"
          apiName="max_tokens"
          placeholder="Model default"
          emptyValue={null}
          optional
          help={most ? `At most ${groupDigits(String(most))} for this model.` : "The answer ends there."}
        />
      </div>
    </section>
  );
}
