"use client";

import { Eye, Pencil } from "lucide-react";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { Role } from "@/lib/contract/operations/people/roles";
import { RolePermissions } from "../role-permissions";
import type { ProjectRolePage } from "./project-role-page";

const EditRoleDialog = loadOnClient(() => import("./edit-project-role").then((file) => file.EditProjectRole));

type ProjectRoleButtonProps = { page: ProjectRolePage; role: Role; isEditable: boolean };

/** Opens a role of the project for editing, or for reading its permissions. */
export function ProjectRoleButton({ page, role, isEditable }: ProjectRoleButtonProps) {
  const formName = `project-role-itself-${role.id}`;
  const dialog = useFormDialog(formName, isEditable);
  return (
    <>
      <IconButton
        size="small"
        label={isEditable ? `Change the role “${role.name}”` : `See what “${role.name}” allows`}
        icon={isEditable ? <Pencil /> : <Eye />}
        onClick={dialog.open}
      />
      {dialog.isOpen && isEditable && (
        <EditRoleDialog page={page} role={role} formName={formName} close={dialog.close} />
      )}
      {dialog.isOpen && !isEditable && (
        <Dialog open position="wide" onClose={dialog.close} title={role.name} description={role.description}>
          <RolePermissions role={role} />
        </Dialog>
      )}
    </>
  );
}
