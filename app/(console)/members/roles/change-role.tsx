"use client";

import type { ComponentType } from "react";
import type { ChangeRoleDialogProps } from "@/components/roles/change-role-dialog";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import type { User } from "@/lib/contract/operations/people/users";
import { changeMemberRole } from "../actions";

const ChangeRoleDialog: ComponentType<ChangeRoleDialogProps<User>> = loadOnClient(() =>
  import("@/components/roles/change-role-dialog").then((file) => file.ChangeRoleDialog<User>),
);

type ChangeRoleProps = Pick<ChangeRoleDialogProps<User>, "member" | "isOwn" | "held" | "direct">;

/** Changes a member's role in the organization. */
export function ChangeRole(props: ChangeRoleProps) {
  const roles = useOrganizationRoles();
  const dialog = useFormDialog("change-role");
  return (
    <>
      <Button onClick={dialog.open}>Change role</Button>
      {dialog.isOpen && (
        <ChangeRoleDialog
          {...props}
          project={null}
          roles={roles}
          action={changeMemberRole}
          refetch={["listUsers", "retrieveUser", "listUserRoles"]}
          formName="change-role"
          close={dialog.close}
        />
      )}
    </>
  );
}
