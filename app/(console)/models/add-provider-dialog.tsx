"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRouter } from "next/navigation";
import { type Control, useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { Form } from "@/components/form/form";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { createProvider } from "./actions";
import { type ProviderForm, providerForm, toProviderDraft } from "./provider-form-schema";

const labels = { id: "Id", base_url: "Base address", api_key: "Key" };

export function AddProviderDialog({ close }: { close: () => void }) {
  const router = useRouter();
  const form = useForm<ProviderForm>({
    mode: "onTouched",
    resolver: standardSchemaResolver(providerForm),
    defaultValues: { id: "", base_url: "", api_key: "" },
  });
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
    <Dialog
      open
      onClose={close}
      title="Add provider"
      description="A server that speaks the OpenAI API: OpenAI itself, Ollama, vLLM or another gateway."
    >
      <Form
        form={form}
        name="new-provider"
        what="the new provider"
        labels={labels}
        className="grid gap-5"
        onSubmit={(typed) => create.mutate(toProviderDraft(typed))}
      >
        <ProviderFields control={form.control} />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={create.isPending}>
            Add provider
          </Button>
        </div>
      </Form>
    </Dialog>
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
