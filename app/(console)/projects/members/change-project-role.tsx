"use client";

import { Pencil } from "lucide-react";
import type { ComponentType } from "react";
import type { ChangeRoleDialogProps } from "@/components/roles/change-role-dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";
import type { ProjectPartProps } from "../project-part-props";
import { changeProjectRole } from "./member-actions";

const ChangeRoleDialog: ComponentType<ChangeRoleDialogProps<ProjectUser>> = loadOnClient(() =>
  import("@/components/roles/change-role-dialog").then((file) => file.ChangeRoleDialog<ProjectUser>),
);

type ChangeProjectRoleProps = Pick<ProjectPartProps, "project" | "held" | "ownId"> & {
  member: ProjectUser;
  roles: readonly Role[];
};

/** Replaces all roles that a member holds directly in the project by another. */
export function ChangeProjectRole({ member, roles, project, held, ownId }: ChangeProjectRoleProps) {
  const formName = `project-role-${member.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Change the role of ${member.name}`}
        icon={<Pencil />}
        onClick={dialog.open}
      />
      {dialog.isOpen && (
        <ChangeRoleDialog
          member={member}
          isOwn={member.id === ownId}
          held={held}
          project={project}
          roles={roles}
          direct={member.roles?.length ?? 1}
          action={(change) => changeProjectRole({ projectId: project.id, ...change })}
          refetch={["listProjectUsers", "listProjectUserRoles"]}
          formName={formName}
          close={dialog.close}
        />
      )}
    </>
  );
}
