"use client";

import * as z from "zod/mini";
import { keyLifetime, lifetimeOptions } from "@/components/keys/key-lifetime";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useCreate } from "@/components/queries/actions/use-create";
import { smallestRole } from "@/components/roles/give-roles";
import { RoleChoice } from "@/components/roles/role-choice";
import { SelectField } from "@/components/ui/fields/select-field";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { ShownOnce } from "@/components/ui/text/shown-once";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/people/roles";
import { displayName } from "@/lib/contract/schema";
import { createAdminKey } from "./actions";

const keyForm = z.strictObject({
  name: displayName,
  role: z.string().check(z.minLength(1, "must be chosen")),
  lifetime: keyLifetime,
});
type KeyForm = z.output<typeof keyForm>;

type CreateAdminKeyProps = { roles: readonly Role[]; held: HeldPermissions | null; close: () => void };

/** Asks for a name and a role, then shows the key, which can't be shown again. */
export function CreateAdminKey({ roles, held, close }: CreateAdminKeyProps) {
  const form = useNewForm<KeyForm>(keyForm, {
    name: "",
    role: smallestRole(roles, held)?.id ?? "",
    lifetime: "90",
  });
  const create = useCreate(createAdminKey, {
    refetch: ["listAdminApiKeys", "listRoleHolders"],
    onError: ({ problem }) => showProblem(form, ["name", "role"], problem),
  });
  if (create.data) {
    return (
      <ShownOnce
        position="wide"
        title={`Admin key “${create.data.name}” created`}
        description="Copy it now: it can’t be shown again."
        noun="key"
        text={create.data.value}
        loss="It can’t be shown again. If you lose it, you can only revoke it."
        close={close}
      >
        <p className="text-muted">
          A program sends it as <code className="font-mono text-sm">Authorization: Bearer</code> to the API’s
          operations of the organization. It signs people in to this console too.
        </p>
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      form={form}
      name="new-admin-key"
      what="the new admin key"
      labels={{ name: "Name", role: "Role", lifetime: "Expires" }}
      title="Create admin key"
      description="The key is shown once, after this. You can give it only permissions that you hold."
      submit="Create admin key"
      pending={create.isPending}
      close={close}
      onSubmit={(draft) => create.mutate(draft)}
    >
      <TextField
        control={form.control}
        name="name"
        label="Name"
        apiName="name"
        maxLength={100}
        help="The program that uses it, such as “terraform”."
      />
      <RoleChoice control={form.control} name="role" label="Role" apiName="role" roles={roles} held={held} />
      <SelectField
        control={form.control}
        name="lifetime"
        label="Expires"
        apiName="expires_in_seconds"
        options={lifetimeOptions}
        help="Requests with an expired key are refused."
      />
    </FormDialog>
  );
}
