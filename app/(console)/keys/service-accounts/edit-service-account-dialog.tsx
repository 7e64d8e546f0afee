"use client";

import * as z from "zod/mini";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { toast } from "@/components/ui/dialog/toast";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ConflictDialog } from "@/components/ui/form/lazy-conflict-dialog";
import { useEditForm } from "@/components/ui/form/use-schema-form";
import { type ServiceAccount, serviceAccountRole } from "@/lib/contract/operations/keys/service-accounts";
import { displayName } from "@/lib/contract/schema";
import { roleNames } from "../service-account-roles";
import { changeServiceAccount } from "./service-account-actions";

const accountForm = z.strictObject({ name: displayName, role: serviceAccountRole });
const labels = { name: "Name", role: "Role" };

type EditAccountProps = {
  projectId: string;
  account: ServiceAccount;
  /** The form's name, unique on its page. */
  formName: string;
  close: () => void;
};

export function EditServiceAccountDialog({ projectId, account, formName, close }: EditAccountProps) {
  const form = useEditForm(accountForm, toFormValues(account));
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
    toValues: toFormValues,
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
      labels={labels}
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
        <ConflictDialog {...conflict} labels={labels} nothing="Empty" choices={{ role: choices }} />
      )}
    </FormDialog>
  );
}

function toFormValues({ name, role }: ServiceAccount) {
  return { name, role };
}
