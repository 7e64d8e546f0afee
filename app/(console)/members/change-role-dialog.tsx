"use client";

import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { useAction } from "@/app/queries/use-action";
import { Form } from "@/components/form/form";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
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
  const current = findRole(roles, member.role ?? "")?.id ?? "";
  const form = useForm({ defaultValues: { role: current } });
  const change = useAction(changeMemberRole, {
    changes: ["listUsers", "retrieveUser", "listUserRoles", "explainPermission"],
    onSuccess: (changed) => {
      toast({ message: `${changed.name} is ${roleNameOf(changed, roles)} now` });
      // What the shell offers depends on one's own roles.
      if (isOwn) router.refresh();
      close();
    },
    onError: ({ problem }) => {
      form.setError("role", { type: problem.code, message: problem.message }, { shouldFocus: true });
    },
  });
  return (
    <Dialog
      open
      onClose={close}
      title={`Change the role of ${member.name}`}
      description="It counts at once, in sessions that are open too. Roles in projects and through groups stay."
    >
      <Form
        form={form}
        name="change-role"
        what={member.name}
        edits
        labels={{ role: "the role" }}
        className="grid gap-5"
        onSubmit={({ role }) => {
          if (!role) form.setError("role", { message: "Choose a role." });
          else if (role === current && direct < 2) close();
          else change.mutate({ userId: member.id, role, version: member.version });
        }}
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
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={change.isPending}>
            Change role
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
