"use client";

import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { saveKeyScope } from "./key-actions";
import { endpointOptions, toKeyScopeForm } from "./key-scope";
import { KeyScopeFields, keyScopeLabels } from "./key-scope-fields";
import { keyScopeForm } from "./key-scope-form";

type KeyScopeDialogProps = {
  projectId: string;
  target: ProjectApiKey;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Limits a key to models and endpoints. Takes effect on the next call. */
export function KeyScopeDialog({ projectId, target, formName, close }: KeyScopeDialogProps) {
  const form = useEditForm(keyScopeForm, toKeyScopeForm(target));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: target,
    action: saveKeyScope,
    refetch: ["listProjectApiKeys"],
    names: ["endpoints", "models"],
    toInput: (change, { version }) => ({ projectId, keyId: target.id, change, version }),
    toValues: toKeyScopeForm,
    onSaved: ({ name }) => {
      toast({ message: `Limits of key “${name}” saved` });
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name={formName}
      what={`the limits of key “${target.name}”`}
      isEdit
      labels={keyScopeLabels}
      title={`Limit the key “${target.name}”`}
      description="Any other call is refused, with a message that names the limit. Changes apply from the next call."
      submit="Save limits"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <KeyScopeFields control={form.control} saved={target} />
      {conflict && (
        <ConflictDialog
          {...conflict}
          labels={keyScopeLabels}
          nothing="No limit"
          choices={{ endpoints: endpointOptions(toKeyScopeForm(target).endpoints) }}
        />
      )}
    </FormDialog>
  );
}
