"use client";

import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { leaveGroup } from "@/components/ui/fields/leave-group";
import { SelectField } from "@/components/ui/fields/select-field";
import type { SelectOption } from "@/components/ui/fields/select-options";
import { TextField } from "@/components/ui/fields/text-field";
import { omittableFields } from "@/lib/contract/calls/omittable-fields";
import { defaultTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { outputLimitFields } from "@/lib/contract/operations/models/providers";
import {
  refusableFields,
  type TimeoutName,
  type TypedSettings,
  timeoutNames,
  USUAL_LIMIT,
} from "./provider-form-schema";

const timeouts: Record<TimeoutName, { label: string; help: string }> = {
  connect_seconds: { label: "Connect", help: "Until the server accepts a connection." },
  whole_answer_seconds: {
    label: "Whole answer",
    help: "Until an answer that isn’t streamed has come whole. A model that thinks sends nothing meanwhile.",
  },
  first_event_seconds: { label: "First event", help: "Until a stream’s first event." },
  idle_seconds: { label: "Silence", help: "Between two events of a stream." },
  total_seconds: { label: "Whole request", help: "Until its end, whatever was sent. At most 3600." },
};

export const settingsLabels = {
  connect_seconds: timeouts.connect_seconds.label,
  whole_answer_seconds: timeouts.whole_answer_seconds.label,
  first_event_seconds: timeouts.first_event_seconds.label,
  idle_seconds: timeouts.idle_seconds.label,
  total_seconds: timeouts.total_seconds.label,
  output_limit_field: "Output limit’s name",
  refused_fields: "Fields the server refuses",
};

const limitNames: readonly SelectOption[] = outputLimitFields.map((name) => ({ value: name, label: name }));
export const limitOptions: readonly SelectOption[] = [
  { value: USUAL_LIMIT, label: "Usual for the server" },
  ...limitNames,
];

type SettingsFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  /** Whether the usual name of the output limit is still to be found out. */
  isNew: boolean;
};

/** The time limits of a provider, and the fields that its server doesn't take. */
export function ProviderSettingsFields<Values extends TypedSettings>({
  control,
  isNew,
}: SettingsFieldsProps<Values>) {
  const at = (name: keyof TypedSettings) => name as FieldPath<Values>;
  return (
    <>
      <fieldset className="grid min-w-0 items-start gap-x-5 gap-y-4 sm:grid-cols-2">
        <legend className="mb-3 font-medium">Time limits</legend>
        {timeoutNames.map((name) => (
          <TextField
            key={name}
            control={control}
            name={at(name)}
            label={timeouts[name].label}
            apiName={`timeouts.${name}`}
            inputMode="decimal"
            unit="seconds"
            placeholder={`${defaultTimeouts[name]} by default`}
            help={timeouts[name].help}
          />
        ))}
      </fieldset>
      <SelectField
        control={control}
        name={at("output_limit_field")}
        label={settingsLabels.output_limit_field}
        apiName="output_limit_field"
        options={isNew ? limitOptions : limitNames}
        help="The other name is tried by itself where a server refuses this one."
      />
      <RefusedFields control={control} name={at("refused_fields")} />
    </>
  );
}

function RefusedFields<Values extends FieldValues>({
  control,
  name,
}: {
  control: Control<Values>;
  name: FieldPath<Values>;
}) {
  const id = useId();
  const { field } = useController({ control, name });
  const chosen: readonly string[] = field.value ?? [];
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{settingsLabels.refused_fields}</span>
        <code className="font-mono text-xs text-muted">refused_fields</code>
      </legend>
      <div {...leaveGroup(field.onBlur)} className="rounded-md border bg-surface">
        {omittableFields.map((value, index) => (
          <label
            key={value}
            htmlFor={`${id}-${value}`}
            className="flex cursor-pointer items-start gap-2.5 border-b px-3 py-2 last:border-b-0 hover:bg-default-soft pointer-coarse:py-3"
          >
            <span className="flex h-5 items-center">
              <Checkbox
                id={`${id}-${value}`}
                ref={index === 0 ? field.ref : undefined}
                checked={chosen.includes(value)}
                onChange={({ target }) =>
                  field.onChange(
                    omittableFields.filter((one) => (one === value ? target.checked : chosen.includes(one))),
                  )
                }
              />
            </span>
            <span className="min-w-0">
              <code className="block font-mono text-sm break-all">{value}</code>
              <span className="block text-sm text-muted">{refusableFields[value]}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className="text-sm text-muted">
        The gateway adds these, and finds by itself what a server refuses. A field that is chosen is never
        sent.
      </p>
    </fieldset>
  );
}
