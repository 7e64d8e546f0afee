"use client";

import { Eye, Pencil, ShieldCheck, Trash2 } from "lucide-react";
import { deleteProjectRole } from "@/app/(console)/roles/actions";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { CreateButton } from "@/components/ui/create-button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { TextLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Badge } from "@/components/ui/status";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { ProjectName } from "@/components/ui/text/project-name";
import { paths } from "@/lib/console/paths";
import type { Permission } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { roleDescriptionColumn, roleNameColumn, rolePermissionsColumn } from "../role-columns";
import { RolePermissions } from "../role-permissions";
import type { ProjectRolePage } from "./project-role-page";

const NewRoleDialog = loadOnClient(() =>
  import("./project-role-dialogs").then((file) => file.NewProjectRole),
);

type ProjectRoleScreenProps = Pick<ProjectRolePage, "project"> & { heldHere: readonly string[] | null };

/** The screen of the roles that can be held in a project: the predefined ones and its own. */
export function ProjectRoleScreen({ project, heldHere }: ProjectRoleScreenProps) {
  // A gateway that doesn't report permissions enforces them anyway.
  const may = (permission: Permission) => heldHere?.includes(permission) ?? true;
  const page: ProjectRolePage = { project, may, held: heldHere };
  const roles = useRead(...wholeList("listProjectRoles", { project_id: project.id }));
  const canWrite = may("api.roles.write");
  const dialog = useFormDialog("new-project-role", canWrite);
  return (
    <>
      <PageHead
        title="Roles"
        sentence={
          <>
            What members and groups may do in project <ProjectName project={project} /> only. Predefined roles
            are the same in every project.{" "}
            <TextLink href={paths.roles()} className="underline">
              Roles of the organization
            </TextLink>
          </>
        }
        action={canWrite && <CreateButton noun="role" onClick={dialog.open} />}
      />
      <ReadState
        read={roles}
        to="list the project’s roles"
        skeleton={<TableSkeleton rows={3} columns={4} />}
        empty={
          <EmptyState icon={ShieldCheck} title="No roles yet">
            A role says what its holders may do in this project.
          </EmptyState>
        }
      >
        {({ data, has_more: hasMore }) => (
          <div>
            <SortedTable
              caption="Roles of the project"
              columns={[...columns, buildActionsColumn(page, canWrite)]}
              rows={data}
              rowId={({ id }) => id}
            />
            {hasMore && <FirstRowsNote shown={data.length} />}
          </div>
        )}
      </ReadState>
      {dialog.isOpen && <NewRoleDialog page={page} close={dialog.close} />}
    </>
  );
}

const columns: readonly Column<Role>[] = [
  roleNameColumn((role) => role.predefined_role && <Badge>predefined</Badge>),
  roleDescriptionColumn,
  rolePermissionsColumn,
];

function buildActionsColumn(page: ProjectRolePage, canWrite: boolean): Column<Role> {
  return actionsColumn({
    width: "w-32",
    cell: (role) => {
      const isEditable = canWrite && !role.predefined_role;
      return (
        <>
          <ProjectRoleButton page={page} role={role} isEditable={isEditable} />
          {!role.predefined_role && (
            <HistoryLink id={role.id} projectId={page.project.id} rowName={role.name} />
          )}
          {isEditable && <DeleteProjectRole projectId={page.project.id} role={role} />}
        </>
      );
    },
  });
}

function DeleteProjectRole({ projectId, role }: { projectId: string; role: Role }) {
  const { id, name, version } = role;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Delete the role “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Delete the role “${name}”?`}
      confirmLabel="Delete role"
      action={deleteProjectRole}
      input={{ projectId, roleId: id, version }}
      refetch={["listProjectRoles"]}
      done={() => `Role “${name}” deleted`}
    >
      It can no longer be assigned. The gateway refuses to delete it while a member or a group still has it.
      This can’t be undone.
    </ConfirmedAction>
  );
}

const EditRoleDialog = loadOnClient(() =>
  import("./project-role-dialogs").then((file) => file.EditProjectRole),
);

type ProjectRoleButtonProps = { page: ProjectRolePage; role: Role; isEditable: boolean };

/** Opens a role of the project for editing, or for reading its permissions. */
function ProjectRoleButton({ page, role, isEditable }: ProjectRoleButtonProps) {
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
