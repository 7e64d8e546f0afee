"use client";

import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { ApiName } from "@/components/ui/api-name";
import { Checkbox } from "@/components/ui/fields/checkbox";
import { describeError } from "@/components/ui/fields/field";
import { leaveGroup } from "@/components/ui/fields/leave-group";
import { SelectField } from "@/components/ui/fields/select-field";
import type { SelectOption } from "@/components/ui/fields/select-options";
import { type BoundField, TextField } from "@/components/ui/fields/text-field";
import {
  defaultTimeouts,
  omittableFields,
  outputLimitFields,
  providerAuths,
  providerProtocols,
} from "@/lib/contract/calls/provider-protocols";
import {
  authTitles,
  protocolSentences,
  refusableFields,
  type TimeoutName,
  type TypedSettings,
  timeoutNames,
  USUAL_LIMIT,
} from "./provider-form";

const timeouts: Record<TimeoutName, { label: string; help: string }> = {
  connect_seconds: { label: "Connect", help: "Until the server accepts a connection." },
  whole_answer_seconds: {
    label: "Whole answer",
    help: "Until an answer without streaming is complete. A reasoning model sends nothing until then.",
  },
  first_event_seconds: { label: "First event", help: "Until a stream’s first event." },
  idle_seconds: { label: "Silence", help: "Between two events of a stream." },
  total_seconds: { label: "Whole request", help: "Until its end, whatever was sent. At most 3600." },
};

export const settingsLabels = {
  protocols: "Protocols",
  auth: "Header for the key",
  messages_base_url: "Address of messages",
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

export const authOptions: readonly SelectOption[] = providerAuths.map((name) => ({
  value: name,
  label: authTitles[name],
}));

/** Which protocols a server speaks, and how it is shown the key. */
export function ProtocolFields<Values extends TypedSettings>({
  control,
  isNew,
}: SettingsFieldsProps<Values>) {
  const at = (name: keyof TypedSettings) => name as FieldPath<Values>;
  return (
    <>
      <CheckedList
        control={control}
        name={at("protocols")}
        label={settingsLabels.protocols}
        apiName="protocols"
        values={providerProtocols}
        sentences={protocolSentences}
        help="Calls in these protocols are passed on unchanged. All others are translated."
      />
      <SelectField
        control={control}
        name={at("auth")}
        label={settingsLabels.auth}
        apiName="auth"
        options={authOptions}
        help="For a signature, the key is ACCESS_KEY_ID:SECRET_ACCESS_KEY."
      />
      <TextField
        control={control}
        name={at("messages_base_url")}
        label={settingsLabels.messages_base_url}
        apiName="messages_base_url"
        placeholder="Such as https://models.example.com/anthropic/v1"
        mono
        optional
        help={
          isNew
            ? "On the same server. Leave empty for the service’s usual address."
            : "On the same server. Leave empty for the base address."
        }
      />
    </>
  );
}

type SettingsFieldsProps<Values extends FieldValues> = {
  control: Control<Values>;
  /** Whether what is usual for the server is still to be found out. */
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
        help="If a server refuses this name, the gateway tries the other."
      />
      <CheckedList
        control={control}
        name={at("refused_fields")}
        label={settingsLabels.refused_fields}
        apiName="refused_fields"
        values={omittableFields}
        sentences={refusableFields}
        help="The gateway adds these fields unless the server refuses them. Chosen fields are never sent."
      />
    </>
  );
}

type CheckedListProps<Values extends FieldValues, Value extends string> = BoundField<Values> & {
  values: readonly Value[];
  /** What each value is for. */
  sentences: Readonly<Record<Value, string>>;
};

/** A few names of the API to tick, each with a sentence. The value is a list of strings in the order of `values`. */
function CheckedList<Values extends FieldValues, Value extends string>(
  props: CheckedListProps<Values, Value>,
) {
  const { control, name, label, apiName, help, values, sentences } = props;
  const id = useId();
  const { field, fieldState } = useController({ control, name });
  const chosen: readonly string[] = field.value ?? [];
  const error = describeError(label, fieldState.error?.message);
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={`${id}-help`}>
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name={apiName} />
      </legend>
      <div
        {...leaveGroup(field.onBlur)}
        className={`rounded-md border bg-surface ${error ? "border-danger" : ""}`}
      >
        {values.map((value, index) => (
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
                    values.filter((one) => (one === value ? target.checked : chosen.includes(one))),
                  )
                }
              />
            </span>
            <span className="min-w-0">
              <code className="block font-mono text-sm break-all">{value}</code>
              <span className="block text-sm text-muted">{sentences[value]}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-help`} className={`text-sm ${error ? "text-danger" : "text-muted"}`}>
        {error ?? help}
      </p>
    </fieldset>
  );
}
