"use client";

import type { Control } from "react-hook-form";
import * as z from "zod/mini";
import {
  changeServiceAccount,
  createServiceAccount,
  createServiceAccountKey,
} from "@/app/(console)/keys/actions";
import { CreatedKey } from "@/app/(console)/keys/created-key";
import { unlimitedScope } from "@/app/(console)/keys/key-scope";
import { KeyScopeDisclosure, keyScopeLabels } from "@/app/(console)/keys/key-scope-fields";
import { keyScopeForm } from "@/app/(console)/keys/key-scope-form";
import { roleNames } from "@/app/(console)/keys/service-account-roles";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm, useNewForm } from "@/components/ui/form/use-schema-form";
import { type ServiceAccount, serviceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import { displayName } from "@/lib/contract/schema";

const accountForm = z.strictObject({ name: displayName, role: serviceAccountRole });
const accountLabels = { name: "Name", role: "Role" };

type EditAccountProps = {
  projectId: string;
  account: ServiceAccount;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

export function EditServiceAccountDialog({ projectId, account, formName, close }: EditAccountProps) {
  const form = useEditForm(accountForm, toAccountForm(account));
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: account,
    action: changeServiceAccount,
    refetch: ["listServiceAccounts", "listProjectApiKeys"],
    names: ["name", "role"],
    toInput: ({ role, ...change }, { version }) => ({
      projectId,
      accountId: account.id,
      // An account starts without a role and can't return to that.
      change: role === undefined || role === "none" ? change : { ...change, role },
      version,
    }),
    toValues: toAccountForm,
    onSaved: ({ name }) => {
      toast({ message: `Service account “${name}” changed` });
      close();
    },
  });
  const roles = (["member", "owner"] as const).map((role) => ({ value: role, label: roleNames[role] }));
  const choices = [{ value: "none", label: "No role" }, ...roles];
  return (
    <FormDialog
      form={form}
      name={formName}
      what={`the service account “${account.name}”`}
      isEdit
      labels={accountLabels}
      title={`Change the service account “${account.name}”`}
      description="Its keys hold the new role from the next call on."
      submit="Save changes"
      pending={pending}
      close={close}
      onSubmit={(values) => (changed.length > 0 ? save(values) : close())}
    >
      <TextField control={form.control} name="name" label="Name" apiName="name" maxLength={100} />
      <SelectField
        control={form.control}
        name="role"
        label="Role"
        apiName="role"
        options={account.role === "none" ? choices : roles}
        help="A Project owner may also create keys and change limits. A Project member sends prompts."
      />
      {conflict && (
        <ConflictDialog {...conflict} labels={accountLabels} nothing="Empty" choices={{ role: choices }} />
      )}
    </FormDialog>
  );
}

function toAccountForm({ name, role }: ServiceAccount) {
  return { name, role };
}

type AccountKeyDialogProps = {
  projectId: string;
  account: ServiceAccount;
  baseUrl: string;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

/** Creates another key for a service account. */
export function AccountKeyDialog({ projectId, account, baseUrl, formName, close }: AccountKeyDialogProps) {
  const form = useNewForm<NewAccountKey>(newAccountKey, defaultAccountKey);
  const create = useCreate(createServiceAccountKey, {
    refetch: ["listProjectApiKeys"],
    onError: ({ problem }) => showProblem(form, accountKeyNames, problem),
  });
  if (create.data) return <CreatedKey created={create.data} baseUrl={baseUrl} close={close} />;
  return (
    <FormDialog
      form={form}
      name={formName}
      what="the new key"
      labels={accountKeyLabels}
      title={`Create a key for “${account.name}”`}
      description="The key is shown once, after this. It holds the role of its account."
      submit="Create key"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate({ projectId, accountId: account.id, ...draft })}
    >
      <NewAccountKeyFields control={form.control} help="Tells the account’s keys apart, such as “blue”." />
    </FormDialog>
  );
}

/** The form values for a service account's new key. */
export const newAccountKey = z.strictObject({
  name: displayName,
  lifetime: keyLifetime,
  ...keyScopeForm.shape,
});
export type NewAccountKey = z.output<typeof newAccountKey>;

/** Initial values, labels, and the field names that errors can refer to. */
export const defaultAccountKey: NewAccountKey = { name: "", lifetime: "never", ...unlimitedScope };
export const accountKeyLabels = { name: "Name", lifetime: "Its key expires", ...keyScopeLabels };
export const accountKeyNames = ["name", "models", "endpoints"] as const;

/** `help` explains the name. */
export function NewAccountKeyFields({ control, help }: { control: Control<NewAccountKey>; help: string }) {
  return (
    <>
      <TextField control={control} name="name" label="Name" apiName="name" maxLength={100} help={help} />
      <SelectField
        control={control}
        name="lifetime"
        label="Its key expires"
        apiName="expires_in_seconds"
        options={lifetimeOptions}
        help="Calls with an expired key are refused."
      />
      <KeyScopeDisclosure control={control} />
    </>
  );
}

type CreateServiceAccountProps = { projectId: string; baseUrl: string; close: () => void };

/** Asks for a name, then shows the account's first key, which can't be shown again. */
export function CreateServiceAccount({ projectId, baseUrl, close }: CreateServiceAccountProps) {
  const form = useNewForm<NewAccountKey>(newAccountKey, defaultAccountKey);
  const create = useCreate(createServiceAccount, {
    refetch: ["listServiceAccounts", "listProjectApiKeys"],
    onSuccess: ({ api_key: key }) => key === null && close(),
    onError: ({ problem }) => showProblem(form, accountKeyNames, problem),
  });
  if (create.data?.api_key) {
    const { name, api_key: key } = create.data;
    return <CreatedKey created={{ name, value: key.value }} baseUrl={baseUrl} close={close} />;
  }
  return (
    <FormDialog
      form={form}
      name="new-service-account"
      what="the service account"
      labels={accountKeyLabels}
      title="Create service account"
      description="It holds the role Project member. Its first key is shown once, after this."
      submit="Create service account"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate({ projectId, ...draft })}
    >
      <NewAccountKeyFields
        control={form.control}
        help="The program that it represents, such as “deploy pipeline”."
      />
    </FormDialog>
  );
}
