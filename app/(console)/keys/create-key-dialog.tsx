"use client";

import * as z from "zod/mini";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { SelectField } from "@/components/ui/fields/select-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { CreatedKey } from "./created-key";
import { createKey } from "./key-actions";
import { KeyNameField, keyName } from "./key-name-field";
import { unlimitedScope } from "./key-scope";
import { KeyScopeDisclosure, keyScopeLabels } from "./key-scope-fields";
import { keyScopeForm } from "./key-scope-form";

const newKey = z.extend(keyName, { lifetime: keyLifetime, ...keyScopeForm.shape });
type NewKey = z.output<typeof newKey>;

type CreateKeyDialogProps = { projectId: string; baseUrl: string; close: () => void };

/** Asks for a name, then shows the key, which can't be shown again. */
export function CreateKeyDialog({ projectId, baseUrl, close }: CreateKeyDialogProps) {
  const form = useNewForm<NewKey>(newKey, { name: "", lifetime: "never", ...unlimitedScope });
  const create = useCreate(createKey, {
    refetch: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, ["name", "models", "endpoints"], problem),
  });
  if (create.data) return <CreatedKey created={create.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name="new-key"
      what="the new key"
      labels={{ name: "Name", lifetime: "Expires", ...keyScopeLabels }}
      title="Create key"
      description="The key is shown once, in the next step. Only its hash is stored."
      submit="Create key"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate({ projectId, ...draft })}
    >
      <KeyNameField control={form.control} />
      <SelectField
        control={form.control}
        name="lifetime"
        label="Expires"
        apiName="expires_in_seconds"
        options={lifetimeOptions}
      />
      <KeyScopeDisclosure control={form.control} />
    </FormDialog>
  );
}
