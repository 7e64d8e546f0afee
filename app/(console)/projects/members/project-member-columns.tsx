import { UserMinus } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { IconButton } from "@/components/ui/icon-button";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { personColumns } from "@/components/ui/table/person-columns";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";
import type { ProjectPartProps } from "../project-part-props";
import { ChangeProjectRole } from "./change-project-role";
import { removeProjectMember } from "./member-actions";
import { formatRoleNames } from "./use-project-roles";

export function projectMemberColumns(
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
