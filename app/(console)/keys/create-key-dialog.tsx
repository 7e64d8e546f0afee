"use client";

import { showProblem } from "@/app/queries/show-problem";
import { useCreate } from "@/app/queries/use-create";
import { FormDialog } from "@/components/form/form-dialog";
import { useNewForm } from "@/components/form/use-schema-form";
import { createKey } from "./actions";
import { CreatedKey } from "./created-key";
import { KeyNameField, keyName } from "./key-name-field";

type CreateKeyDialogProps = { projectId: string; baseUrl: string; close: () => void };

/** Asks for a name, then shows the key: the only time it can be seen. */
export function CreateKeyDialog({ projectId, baseUrl, close }: CreateKeyDialogProps) {
  const form = useNewForm(keyName, { name: "" });
  const create = useCreate(createKey, {
    changes: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, ["name"], problem),
  });
  if (create.data) return <CreatedKey created={create.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name="new-key"
      what="the new key"
      labels={{ name: "Name" }}
      title="Create key"
      description="The key is shown once, after this. Only its hash is kept."
      submit="Create key"
      pending={create.isPending}
      close={close}
      onSubmit={({ name }) => create.mutate({ projectId, name })}
    >
      <KeyNameField control={form.control} />
    </FormDialog>
  );
}
