"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { type Control, type UseFormReturn, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { hostedKinds, providerKindTitles } from "@/lib/contract/calls/provider-kinds";
import { findPreset, findPresetOfKey, type PresetName } from "@/lib/contract/calls/provider-presets";
import { createProvider } from "./actions";
import { MoreSettings } from "./more-settings";
import { PresetField } from "./preset-field";
import {
  choosePreset,
  emptyProvider,
  type ProviderFormValues,
  providerForm,
  toProviderDraft,
} from "./provider-form-schema";
import { ProtocolFields, ProviderSettingsFields, settingsLabels } from "./provider-settings-fields";

const labels = {
  kind: "Kind",
  preset: "Service",
  api_key: "Key",
  id: "Id",
  base_url: "Base address",
  ...settingsLabels,
};
const fields = [
  "kind",
  "preset",
  "api_key",
  "id",
  "base_url",
  "protocols",
  "auth",
  "messages_base_url",
] as const;

export function AddProviderDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useNewForm(providerForm, emptyProvider);
  const [preset, key] = useWatch({ control: form.control, name: ["preset", "api_key"] });
  const foundPreset = preset === "" ? findPresetOfKey(key) : null;
  useEffect(() => {
    if (foundPreset) fillIn(form, foundPreset);
  }, [form, foundPreset]);
  const create = useCreate(createProvider, {
    refetch: ["listProviders"],
    onSuccess: ({ id }) => {
      toast({ message: `Provider “${id}” added` });
      // The shell shows whether any provider besides the sandbox exists.
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, fields, problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-provider"
      what="the new provider"
      labels={labels}
      onSubmit={(typed) => create.mutate(toProviderDraft(typed))}
      title="Add provider"
      description="Choose a service, or paste its key: what is known of it is filled in."
      submit="Add provider"
      pending={create.isPending}
      close={close}
    >
      <PresetField
        control={form.control}
        name="preset"
        label={labels.preset}
        choose={(name) => {
          fillIn(form, name);
          form.setFocus("api_key");
        }}
      />
      <ProviderFields control={form.control} preset={preset} />
      {preset === "other" && <ProtocolFields control={form.control} isNew />}
      <MoreSettings control={form.control} names={Object.keys(settingsLabels)}>
        {preset !== "other" && <ProtocolFields control={form.control} isNew />}
        <ProviderSettingsFields control={form.control} isNew />
      </MoreSettings>
    </FormDialog>
  );
}

/** Fills in what is known of a service, and keeps what was typed by hand. */
function fillIn(form: UseFormReturn<ProviderFormValues>, name: PresetName): void {
  const filled = choosePreset(form.getValues(), name);
  const names = [
    "preset",
    "id",
    "base_url",
    "protocols",
    "auth",
    "output_limit_field",
    "refused_fields",
  ] as const;
  for (const field of names) form.setValue(field, filled[field], { shouldDirty: true });
  form.clearErrors(names.filter((field) => filled[field] !== ""));
}

type ProviderFieldsProps = {
  control: Control<ProviderFormValues>;
  preset: ProviderFormValues["preset"];
};

function ProviderFields({ control, preset: name }: ProviderFieldsProps) {
  const preset = findPreset(name || "other");
  const example = preset.addressExample ?? preset.baseUrl;
  return (
    <>
      {hostedKinds.length > 1 && (
        <SelectField
          control={control}
          name="kind"
          label={labels.kind}
          apiName="kind"
          options={hostedKinds.map((kind) => ({ value: kind, label: providerKindTitles[kind] }))}
        />
      )}
      <TextField
        control={control}
        name="api_key"
        label={labels.api_key}
        apiName="api_key"
        type="password"
        autoComplete="new-password"
        mono
        optional
        placeholder={preset.keyPrefix && `Begins with ${preset.keyPrefix}`}
        help="Stored encrypted and never shown again."
      />
      <TextField
        control={control}
        name="id"
        label={labels.id}
        apiName="id"
        placeholder="Such as ollama"
        maxLength={40}
        mono
        help="What routes call it: lower-case letters, digits and hyphens."
      />
      <TextField
        control={control}
        name="base_url"
        label={labels.base_url}
        apiName="base_url"
        placeholder={`Such as ${example}`}
        mono
        help="With /v1 where the server has it. The gateway must reach it, not this browser."
      />
    </>
  );
}
