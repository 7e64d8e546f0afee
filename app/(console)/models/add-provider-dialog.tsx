"use client";

import { useRouter } from "next/navigation";
import { type Control } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/form/text-field";
import { useNewForm } from "@/components/form/use-schema-form";
import { toast } from "@/components/ui/toast";
import { createProvider } from "./actions";
import { type ProviderForm, providerForm, toProviderDraft } from "./provider-form-schema";

const labels = { id: "Id", base_url: "Base address", api_key: "Key" };

export function AddProviderDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useNewForm(providerForm, { id: "", base_url: "", api_key: "" });
  const create = useCreate(createProvider, {
    changes: ["listProviders"],
    onSuccess: ({ id }) => {
      toast({ message: `Provider “${id}” added` });
      // The shell says whether any provider but the sandbox answers.
      router.refresh();
      close();
    },
    onError: ({ problem }) => showProblem(form, ["id", "base_url", "api_key"], problem),
  });
  return (
    <FormDialog
      form={form}
      name="new-provider"
      what="the new provider"
      labels={labels}
      onSubmit={(typed) => create.mutate(toProviderDraft(typed))}
      title="Add provider"
      description="A server that speaks the OpenAI API: OpenAI itself, Ollama, vLLM or another gateway."
      submit="Add provider"
      pending={create.isPending}
      close={close}
    >
      <ProviderFields control={form.control} />
    </FormDialog>
  );
}

function ProviderFields({ control }: { control: Control<ProviderForm> }) {
  return (
    <>
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
        placeholder="Such as http://127.0.0.1:11434/v1"
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
