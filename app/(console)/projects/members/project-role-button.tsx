"use client";

import { Eye, Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useReopen } from "@/components/form/draft-scope";
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { Role } from "@/lib/contract/operations/roles";
import { RolePermissions } from "../../roles/role-permissions";
import type { ProjectPlace } from "../project-place";

const EditRoleDialog = dynamic(() => import("./edit-project-role").then((file) => file.EditProjectRole), {
  ssr: false,
});

type ProjectRoleButtonProps = { place: ProjectPlace; role: Role; isEditable: boolean };

/** Opens a role of the project for editing, or for reading its permissions. */
export function ProjectRoleButton({ place, role, isEditable }: ProjectRoleButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const formName = `project-role-itself-${role.id}`;
  useReopen(formName, () => setIsOpen(isEditable));
  const close = () => setIsOpen(false);
  return (
    <>
      <IconButton
        size="small"
        label={isEditable ? `Change the role “${role.name}”` : `See what “${role.name}” allows`}
        icon={isEditable ? <Pencil /> : <Eye />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && isEditable && <EditRoleDialog place={place} role={role} formName={formName} close={close} />}
      {isOpen && !isEditable && (
        <Dialog open place="wide" onClose={close} title={role.name} description={role.description}>
          <RolePermissions role={role} />
        </Dialog>
      )}
    </>
  );
}
