"use client";

import { useRouter } from "next/navigation";
import { type Control, useWatch } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import {
  defaultHostedKind,
  type HostedKind,
  hostedKinds,
  providerKindTitles,
} from "@/lib/contract/calls/provider-kinds";
import { createProvider } from "./actions";
import {
  type ProviderFormValues,
  providerForm,
  toProviderDraft,
  usualSettings,
} from "./provider-form-schema";
import { ProviderSettingsFields, settingsLabels } from "./provider-settings-fields";

const labels = { kind: "Kind", id: "Id", base_url: "Base address", api_key: "Key", ...settingsLabels };
const fields = ["kind", "id", "base_url", "api_key"] as const;

/** The kinds of provider that can be added, with an example of each. */
const kinds: Record<HostedKind, { servers: string; id: string; baseUrl: string }> = {
  openai: {
    servers: "A server that speaks the OpenAI API: OpenAI itself, Ollama, vLLM or another gateway.",
    id: "ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
  },
};

export function AddProviderDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useNewForm(providerForm, {
    kind: defaultHostedKind,
    id: "",
    base_url: "",
    api_key: "",
    ...usualSettings,
  });
  const kind = useWatch({ control: form.control, name: "kind" });
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
      description={kinds[kind].servers}
      submit="Add provider"
      pending={create.isPending}
      close={close}
    >
      <ProviderFields control={form.control} example={kinds[kind]} />
      <ProviderSettingsFields control={form.control} isNew />
    </FormDialog>
  );
}

type ProviderFieldsProps = {
  control: Control<ProviderFormValues>;
  example: { id: string; baseUrl: string };
};

function ProviderFields({ control, example }: ProviderFieldsProps) {
  return (
    <>
      {hostedKinds.length > 1 && (
        <SelectField
          control={control}
          name="kind"
          label={labels.kind}
          apiName="kind"
          options={hostedKinds.map((name) => ({ value: name, label: providerKindTitles[name] }))}
        />
      )}
      <TextField
        control={control}
        name="id"
        label={labels.id}
        apiName="id"
        placeholder={`Such as ${example.id}`}
        maxLength={40}
        mono
        help="What routes call it: lower-case letters, digits and hyphens."
      />
      <TextField
        control={control}
        name="base_url"
        label={labels.base_url}
        apiName="base_url"
        placeholder={`Such as ${example.baseUrl}`}
        mono
        help="With /v1 where the server has it. The gateway must reach it, not this browser."
      />
      <TextField
        control={control}
        name="api_key"
        label={labels.api_key}
        apiName="api_key"
        type="password"
        autoComplete="new-password"
        mono
        optional
        help="Stored encrypted and never shown again."
      />
    </>
  );
}
