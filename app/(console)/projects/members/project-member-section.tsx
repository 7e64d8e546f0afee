"use client";

import { Pencil, UserMinus, UserPlus, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import type { ComponentType } from "react";
import { changeProjectRole, removeProjectMember } from "@/app/(console)/projects/actions";
import type { ProjectPartProps } from "@/app/(console)/projects/project-reads";
import { holderReads } from "@/app/(console)/projects/project-reads";
import type { MayInProject } from "@/app/(console)/projects/project-tabs";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import { ListSection } from "@/components/queries/states/list-section";
import type { ChangeRoleDialogProps } from "@/components/roles/change-role-dialog";
import { listPredefinedRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { findPeople } from "@/components/ui/search/find-people";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { personColumns } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";

const AddMemberDialog = loadOnClient(() =>
  import("./add-to-project-dialog").then((file) => file.AddProjectMember),
);

/** The members with a direct role in the project. */
export function ProjectMemberSection(page: ProjectPartProps) {
  const { project, may, held } = page;
  const read = holderReads.members(project.id);
  const members = useRead(...read);
  const further = useFurtherRows(read, members.data);
  const roles = useProjectRoles(project.id, may);
  const canWrite = may("api.project_users.write");
  const dialog = useFormDialog("add-project-member", canWrite);
  const addButton = canWrite && (
    <Button onClick={dialog.open}>
      <UserPlus aria-hidden />
      Add member
    </Button>
  );
  const seesMembers = holdsInOrganization(held, "api.users.read");
  return (
    <ListSection
      title="Members"
      description="Members with a role in this project. A role in the organization, or through a group, applies here too."
      read={members}
      to="list the project’s members"
      size={{ rows: 4, columns: 4 }}
      empty={{
        icon: Users,
        title: "No member with a role here",
        example: "For example, a colleague as Project owner, who manages its keys and limits.",
        children: "Give members of the organization a role that applies in this project only.",
      }}
      add={addButton}
      dialog={
        dialog.isOpen && (
          <AddMemberDialog
            project={project}
            roles={roles}
            held={held}
            seesMembers={seesMembers}
            close={dialog.close}
          />
        )
      }
    >
      {({ data }) => (
        <FilteredList
          caption="Members of the project"
          columns={projectMemberColumns(page, roles)}
          rows={data}
          rowId={({ id }) => id}
          rowHref={({ id }) => (seesMembers ? paths.member(id) : undefined)}
          noun="member"
          label="Search members"
          unfilteredUpTo={20}
          find={findPeople}
          none={(typed) => `No member with a role here has “${typed}” in their name or address.`}
          further={further}
        />
      )}
    </ListSection>
  );
}

function projectMemberColumns(
  page: ProjectPartProps,
  roles: readonly Role[],
): readonly Column<ProjectUser>[] {
  const formatRoles = ({ role, roles: ids }: ProjectUser) => formatRoleNames(ids ?? [role], roles);
  const columns: readonly Column<ProjectUser>[] = [
    ...personColumns<ProjectUser>(page.ownId),
    {
      id: "roles",
      header: "Roles here",
      apiName: "roles",
      sortValue: formatRoles,
      cell: (member) => <span className="wrap-anywhere">{formatRoles(member)}</span>,
    },
    {
      id: "added",
      header: "Added",
      apiName: "added_at",
      width: "w-36",
      sortValue: (member) => member.added_at,
      cell: (member) => <RelativeTime at={member.added_at} />,
    },
  ];
  if (!page.may("api.project_users.write")) return columns;
  const actions = actionsColumn<ProjectUser>({
    width: "w-24",
    cell: (member) => (
      <>
        <ChangeProjectRole member={member} roles={roles} {...page} />
        <RemoveProjectMember member={member} rolesLost={formatRoles(member)} {...page} />
      </>
    ),
  });
  return [...columns, actions];
}

type RemoveProjectMemberProps = Pick<ProjectPartProps, "project" | "ownId"> & {
  member: ProjectUser;
  /** Names of the roles. */
  rolesLost: string;
};

function RemoveProjectMember({ member, rolesLost, project, ownId }: RemoveProjectMemberProps) {
  const router = useRouter();
  const { id, name, version } = member;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove ${name} from the project`}
          icon={<UserMinus />}
          onClick={ask}
        />
      )}
      title={`Remove ${name} from ${project.name}?`}
      confirmLabel="Remove from project"
      action={removeProjectMember}
      input={{ projectId: project.id, userId: id, version }}
      refetch={["listProjectUsers", "listProjectUserRoles"]}
      done={() => `${name} removed from ${project.name}`}
      // The person's own roles decide what the shell shows.
      onDone={() => id === ownId && router.refresh()}
    >
      They lose their roles here immediately: {rolesLost}. Roles in the organization or through groups stay,
      and count here too.
    </ConfirmedAction>
  );
}

const ChangeRoleDialog: ComponentType<ChangeRoleDialogProps<ProjectUser>> = loadOnClient(() =>
  import("@/components/roles/change-role-dialog").then((file) => file.ChangeRoleDialog<ProjectUser>),
);

type ChangeProjectRoleProps = Pick<ProjectPartProps, "project" | "held" | "ownId"> & {
  member: ProjectUser;
  roles: readonly Role[];
};

/** Replaces all roles that a member holds directly in the project by another. */
function ChangeProjectRole({ member, roles, project, held, ownId }: ChangeProjectRoleProps) {
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

/** Returns the roles that can be held in a project; only the predefined ones if the person can't see roles. */
export function useProjectRoles(projectId: string, may: MayInProject): readonly Role[] {
  const roles = useRead(...wholeList("listProjectRoles", { project_id: projectId }), {
    enabled: may("api.roles.read"),
  });
  return roles.data?.data ?? listPredefinedRoles("api.project");
}

/** Returns the names of roles, as shown in lists. */
export function formatRoleNames(ids: readonly string[], roles: readonly Role[]): string {
  return ids.map((id) => roles.find((role) => role.id === id)?.name ?? id).join(", ");
}
