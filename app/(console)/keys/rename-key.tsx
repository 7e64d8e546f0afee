"use client";

import { useEffect, useEffectEvent } from "react";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { dismissToast, toast } from "@/components/ui/dialog/toast";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { renameKey } from "./key-actions";
import { type KeyName, KeyNameField, keyName } from "./key-name-field";

type RenameKeyProps = {
  projectId: string;
  target: ProjectApiKey;
  /** The form's name, unique on its page. */
  formName: string;
  isOpen: boolean;
  close: () => void;
};

/** The dialog that renames a key. Stays mounted after closing, because an undo may be stale and then asks. */
export function RenameKey({ projectId, target, formName, isOpen, close }: RenameKeyProps) {
  const form = useEditForm(keyName, toKeyName(target));
  const { save, undo, changed, outcome, pending, conflict } = useSaveChanges(form, {
    saved: target,
    action: renameKey,
    refetch: ["listProjectApiKeys"],
    names: ["name"],
    toInput: (change, { version }) => ({ projectId, keyId: target.id, change, version }),
    toValues: toKeyName,
    onSaved: close,
    // The form is closed during an undo.
    onRefused: isOpen ? undefined : ({ message }) => void toast({ message, tone: "bad" }),
  });
  const tell = useEffectEvent(({ text, before }: NonNullable<typeof outcome>) =>
    toast({
      message: before ? `Key renamed to “${form.getValues("name")}”` : text,
      ...(before && { action: { label: "Undo", onAct: undo } }),
    }),
  );
  useEffect(() => {
    if (!outcome) return;
    const id = tell(outcome);
    return () => dismissToast(id);
  }, [outcome]);
  return (
    <>
      {isOpen && (
        <FormDialog
          form={form}
          name={formName}
          what={`the key “${target.name}”`}
          isEdit
          labels={{ name: "Name" }}
          title={`Rename the key “${target.name}”`}
          description="Calls with it continue to work."
          submit="Rename key"
          pending={pending}
          close={close}
          onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
        >
          <KeyNameField control={form.control} />
        </FormDialog>
      )}
      {conflict && <ConflictDialog {...conflict} labels={{ name: "Name of the key" }} nothing="No name" />}
    </>
  );
}

function toKeyName({ name }: ProjectApiKey): KeyName {
  return { name };
}
