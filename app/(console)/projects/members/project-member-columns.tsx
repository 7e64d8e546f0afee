import type { Column } from "@/components/table/column";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ProjectUser } from "@/lib/contract/operations/project-users";
import type { Role } from "@/lib/contract/operations/roles";
import type { ProjectPlace } from "../project-place";
import { ChangeProjectRole } from "./change-project-role";
import { RemoveProjectMember } from "./remove-project-member";
import { formatRoleNames } from "./use-project-roles";

export function projectMemberColumns(
  place: ProjectPlace,
  roles: readonly Role[],
): readonly Column<ProjectUser>[] {
  const formatRoles = ({ role, roles: ids }: ProjectUser) => formatRoleNames(ids ?? [role], roles);
  const columns: readonly Column<ProjectUser>[] = [
    {
      id: "name",
      header: "Name",
      sortValue: ({ name }) => name,
      cell: ({ id, name }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
          {name}
          {id === place.ownId && <Badge>you</Badge>}
        </span>
      ),
    },
    {
      id: "email",
      header: "Email",
      sortValue: ({ email }) => email,
      cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
    },
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
  if (!place.may("api.project_users.write")) return columns;
  const actions: Column<ProjectUser> = {
    id: "actions",
    header: "Actions",
    width: "w-24",
    numeric: true,
    phone: "end",
    cell: (member) => (
      <span className="relative z-1 flex justify-end gap-1 pointer-coarse:gap-0">
        <ChangeProjectRole member={member} roles={roles} {...place} />
        <RemoveProjectMember member={member} rolesLost={formatRoles(member)} {...place} />
      </span>
    ),
  };
  return [...columns, actions];
}
