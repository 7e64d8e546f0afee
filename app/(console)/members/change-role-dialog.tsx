"use client";

import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { useSaveChanges } from "@/app/queries/use-save-changes";
import type { Conflict } from "@/components/form/find-conflicts";
import { FormDialog } from "@/components/form/form-dialog";
import { ConflictDialog } from "@/components/form/lazy-conflict-dialog";
import { toast } from "@/components/ui/toast";
import type { ActionReply } from "@/lib/console/problem";
import type { Role } from "@/lib/contract/operations/roles";
import type { User } from "@/lib/contract/operations/users";
import { changeMemberRole } from "./actions";
import { findRole, type Held } from "./give-roles";
import { roleNameOf } from "./member-columns";
import { RoleChoice } from "./role-choice";
import { useOrganizationRoles } from "./use-organization-roles";

export type ChangeRoleDialogProps = {
  member: User;
  isOwn: boolean;
  held: Held;
  /** How many roles in the organization the member holds directly. */
  direct: number;
  close: () => void;
};

/** Gives a member another role in the organization, in the place of all held there directly. */
export function ChangeRoleDialog({ member, isOwn, held, direct, close }: ChangeRoleDialogProps) {
  const router = useRouter();
  const roles = useOrganizationRoles();
  const toValues = ({ role }: User) => ({ role: findRole(roles, role ?? "")?.id ?? role ?? "" });
  const form = useForm({ values: toValues(member), resetOptions: { keepDirtyValues: true } });
  const { save, changed, pending, conflict } = useSaveChanges(form, {
    saved: member,
    action: changeRole,
    changes: ["listUsers", "retrieveUser", "listUserRoles", "explainPermission"],
    names: ["role"],
    toInput: ({ role = "" }, { version }) => ({ userId: member.id, role, version }),
    toValues,
    whole: direct > 1,
    onSaved: (saved) => {
      toast({ message: `${saved.name} is ${roleNameOf(saved, roles)} now` });
      // What the shell offers depends on one's own roles.
      if (isOwn) router.refresh();
      close();
    },
  });
  return (
    <FormDialog
      form={form}
      name="change-role"
      what={member.name}
      edits
      labels={{ role: "the role" }}
      onSubmit={(values) => {
        if (!findRole(roles, values.role)) form.setError("role", { message: "Choose a role." });
        else if (changed.length === 0) close();
        else save(values);
      }}
      title={`Change the role of ${member.name}`}
      description="It counts at once, in sessions that are open too. Roles in projects and through groups stay."
      submit="Change role"
      pending={pending}
      close={close}
    >
      <RoleChoice
        control={form.control}
        name="role"
        label="Role in the organization"
        apiName="role"
        roles={roles}
        held={held}
        help={direct > 1 && `It takes the place of all ${direct} roles held directly.`}
      />
      {conflict && (
        <ConflictDialog
          {...conflict}
          conflicts={conflict.conflicts.map((one) => nameRoles(one, roles))}
          labels={{ role: `Role of ${member.name}` }}
          nothing="No role"
        />
      )}
    </FormDialog>
  );
}

/** Shows every refusal at the form's only field. */
async function changeRole(input: Parameters<typeof changeMemberRole>[0]): Promise<ActionReply<User>> {
  const reply = await changeMemberRole(input);
  return reply.ok ? reply : { ...reply, fields: { role: reply.message } };
}

/** The same conflict, with names in the place of ids. */
function nameRoles({ name, was, theirs, yours }: Conflict, roles: readonly Role[]): Conflict {
  const nameOf = (id: unknown) => roles.find((role) => role.id === id)?.name ?? id;
  return { name, was: nameOf(was), theirs: nameOf(theirs), yours: nameOf(yours) };
}
