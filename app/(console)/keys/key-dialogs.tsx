"use client";

import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { dismissToast, toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { createKey, renameKey, rotateKey, saveKeyScope } from "./actions";
import { CreatedKey } from "./created-key";
import { endpointOptions, toKeyScopeForm, unlimitedScope } from "./key-scope";
import {
  type KeyName,
  KeyNameField,
  KeyScopeDisclosure,
  KeyScopeFields,
  keyName,
  keyScopeLabels,
} from "./key-scope-fields";
import { keyScopeForm } from "./key-scope-form";

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

const overlaps = [
  { value: "0", label: "None: revoke it immediately" },
  { value: String(HOUR_S), label: "One hour" },
  { value: String(DAY_S), label: "One day" },
  { value: String(7 * DAY_S), label: "7 days" },
  { value: String(30 * DAY_S), label: "30 days" },
] as const;
const rotation = z.strictObject({ overlap: z.string() });

type RotateKeyDialogProps = {
  projectId: string;
  target: ProjectApiKey;
  baseUrl: string;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Creates a key with the same name, role and scope, shows it once, and keeps the old key valid for a while. */
export function RotateKeyDialog({ projectId, target, baseUrl, formName, close }: RotateKeyDialogProps) {
  const form = useNewForm(rotation, { overlap: String(DAY_S) });
  const rotate = useCreate(rotateKey, {
    refetch: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, [], problem),
  });
  if (rotate.data) return <CreatedKey created={rotate.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name={formName}
      what="the rotation"
      labels={{ overlap: "The old key still works for" }}
      title={`Rotate the key “${target.name}”`}
      description="A new key with the same name, role and limits is shown once, after this."
      submit="Rotate key"
      pending={rotate.isPending}
      close={close}
      onSubmit={({ overlap }) =>
        rotate.mutate({ projectId, keyId: target.id, overlapSeconds: Number(overlap) })
      }
    >
      <SelectField
        control={form.control}
        name="overlap"
        label="The old key still works for"
        apiName="overlap_seconds"
        options={overlaps}
        help="Both keys work until then. Move every program to the new key in that time."
      />
    </FormDialog>
  );
}

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
