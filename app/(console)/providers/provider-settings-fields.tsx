"use client";

import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { SelectField } from "@/components/ui/fields/select-field";
import type { SelectOption } from "@/components/ui/fields/select-options";
import { TextField } from "@/components/ui/fields/text-field";
import { omittableFields } from "@/lib/contract/calls/omittable-fields";
import { providerAuths, providerProtocols } from "@/lib/contract/calls/provider-protocols";
import { defaultTimeouts } from "@/lib/contract/calls/provider-timeouts";
import { outputLimitFields } from "@/lib/contract/operations/models/providers";
import { CheckedList } from "./checked-list";
import {
  authTitles,
  protocolSentences,
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
        help="A call in one of them is passed on as it is. Others are translated."
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
            ? "At the same server. Empty: what is usual for the service."
            : "At the same server. Empty: the base address."
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
