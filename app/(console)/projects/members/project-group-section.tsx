"use client";

import { Plus, UsersRound, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { removeProjectGroup } from "@/app/(console)/projects/actions";
import type { ProjectPartProps } from "@/app/(console)/projects/project-reads";
import { holderReads } from "@/app/(console)/projects/project-reads";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { containsWords } from "@/components/ui/search/match-words";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { holdsInOrganization } from "@/lib/console/permissions-in";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { Project, ProjectGroup } from "@/lib/contract/operations/projects/projects";
import { formatRoleNames, useProjectRoles } from "./project-member-section";

const AddGroupDialog = loadOnClient(() =>
  import("./add-to-project-dialog").then((file) => file.AddProjectGroup),
);

/** The groups with a role in a project. A group's roles apply to all of its members. */
export function ProjectGroupSection({ project, may, held }: ProjectPartProps) {
  const read = holderReads.groups(project.id);
  const groups = useRead(...read);
  const further = useFurtherRows(read, groups.data, "group");
  const roles = useProjectRoles(project.id, may);
  // Listing groups needs a permission in the organization.
  const canAdd = may("api.project_groups.write") && holdsInOrganization(held, "api.groups.read");
  const dialog = useFormDialog("add-project-group", canAdd);
  const addButton = canAdd && (
    <Button onClick={dialog.open}>
      <Plus aria-hidden />
      Add group
    </Button>
  );
  return (
    <ListSection
      title="Groups"
      description="A group’s role here applies to everyone in it."
      read={groups}
      to="list the project’s groups"
      size={{ rows: 2, columns: 3 }}
      empty={{
        icon: UsersRound,
        title: "No group with a role here",
        example:
          "For example, “Data science” as Project member: everyone in the group can send prompts here.",
        children: "A group’s role in this project applies to all its members.",
      }}
      add={addButton}
      dialog={
        dialog.isOpen && (
          <AddGroupDialog
            project={project}
            roles={roles}
            held={held}
            present={groups.data?.data ?? []}
            close={dialog.close}
          />
        )
      }
    >
      {({ data }) => (
        <FilteredList
          caption="Groups in the project"
          columns={groupColumns(project, roles, may("api.project_groups.write"))}
          rows={data}
          rowId={({ group_id: id }) => id}
          noun="group"
          label="Search groups"
          parameter="group"
          unfilteredUpTo={20}
          find={(rows, typed) => rows.filter((row) => containsWords(row.group_name, typed))}
          none={(typed) => `No group with a role here has “${typed}” in its name.`}
          further={further}
        />
      )}
    </ListSection>
  );
}

function groupColumns(
  project: ProjectPartProps["project"],
  roles: readonly Role[],
  canWrite: boolean,
): readonly Column<ProjectGroup>[] {
  const formatRoles = ({ roles: ids = [] }: ProjectGroup) => formatRoleNames(ids, roles);
  const columns: readonly Column<ProjectGroup>[] = [
    {
      id: "name",
      header: "Group",
      sortValue: ({ group_name: name }) => name,
      cell: ({ group_name: name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    {
      id: "roles",
      header: "Roles here",
      apiName: "roles",
      sortValue: formatRoles,
      cell: (group) => <span className="wrap-anywhere">{formatRoles(group)}</span>,
    },
    {
      id: "added",
      header: "Added",
      apiName: "created_at",
      width: "w-36",
      sortValue: (group) => group.created_at,
      cell: (group) => <RelativeTime at={group.created_at} />,
    },
  ];
  if (!canWrite) return columns;
  const actions = actionsColumn<ProjectGroup>({
    width: "w-24",
    cell: (group) => <RemoveProjectGroup project={project} group={group} rolesLost={formatRoles(group)} />,
  });
  return [...columns, actions];
}

type RemoveProjectGroupProps = {
  project: Project;
  group: ProjectGroup;
  /** Names of the roles. */
  rolesLost: string;
};

function RemoveProjectGroup({ project, group, rolesLost }: RemoveProjectGroupProps) {
  const router = useRouter();
  const { group_id: groupId, group_name: name, version } = group;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove the group “${name}” from the project`}
          icon={<X />}
          onClick={ask}
          className="relative z-1"
        />
      )}
      title={`Remove the group “${name}” from ${project.name}?`}
      confirmLabel="Remove from project"
      action={removeProjectGroup}
      input={{ projectId: project.id, groupId, version }}
      refetch={["listProjectGroups", "listProjectUserRoles", "listRoleHolders"]}
      done={() => `Group “${name}” removed from ${project.name}`}
      // The person may be in the group, whose roles decide what the shell shows.
      onDone={() => router.refresh()}
    >
      Its members lose the roles that they have here through it: {rolesLost}. The group itself stays, with
      what it holds elsewhere.
    </ConfirmedAction>
  );
}
