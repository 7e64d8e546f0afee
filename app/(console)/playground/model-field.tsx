"use client";

import { ChevronsUpDown } from "lucide-react";
import { useId } from "react";
import { type Control, useController } from "react-hook-form";
import { Field, fieldAttributes } from "@/components/form/field";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { SandboxMark } from "./sandbox-mark";
import type { SettingsDraft } from "./settings-draft";

type ModelFieldProps = { control: Control<SettingsDraft>; models: readonly OrganizationModel[] };

/** The models that answer prompts; those of the sandbox apart, and below what the chosen one is and costs. */
export function ModelField({ control, models }: ModelFieldProps) {
  const id = useId();
  const { field, fieldState } = useController({ control, name: "model" });
  const [, setAddressed] = useUrlParameter("model");
  const error = fieldState.error?.message;
  const chosen = models.find((model) => model.id === field.value);
  const groups = [
    { label: "Chat", members: models.filter(({ sandbox }) => !sandbox) },
    { label: "Chat · sandbox: no AI", members: models.filter(({ sandbox }) => sandbox) },
  ];
  return (
    <Field
      id={id}
      label="Model"
      apiName="model"
      error={error}
      help={chosen && <Description model={chosen} />}
    >
      <div className="relative">
        <select
          {...fieldAttributes(id, error)}
          {...field}
          onChange={(event) => {
            field.onChange(event);
            setAddressed(event.target.value);
          }}
          className="field h-9 appearance-none pr-8 font-mono text-sm pointer-coarse:h-11"
        >
          {groups.map(
            ({ label, members }) =>
              members.length > 0 && (
                <optgroup key={label} label={label}>
                  {members.map((model) => (
                    <option key={model.id} value={model.id}>
                      {model.id}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  );
}

function Description({ model }: { model: OrganizationModel }) {
  const { price, rate, currency, description, sandbox } = model;
  // A sandbox model's own description begins with the same words as the mark.
  const words = sandbox ? description?.replace(/^Not an AI: /, "It ") : description;
  return (
    <span className="grid gap-1">
      {sandbox && <SandboxMark />}
      {words && <span>{words}</span>}
      {price && (
        <span>
          {groupDigits(trimDecimal(price.input_per_1m))} in, {groupDigits(trimDecimal(price.output_per_1m))}{" "}
          out {currency} per 1,000,000 tokens, × rate {rate}
        </span>
      )}
    </span>
  );
}
