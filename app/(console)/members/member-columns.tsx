"use client";

import { findOrganizationRole } from "@/components/roles/give-roles";
import type { Column } from "@/components/ui/table/column";
import { personColumns } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { Role } from "@/lib/contract/operations/people/roles";
import type { User } from "@/lib/contract/operations/people/users";

/** Shown if a member holds no role directly in the organization. */
const NO_ROLE = "none";

/** Returns a member's role in the organization by name; by id if the name is unknown. */
export function findRoleName({ role }: Pick<User, "role">, roles: readonly Role[]): string {
  return role === null ? NO_ROLE : (findOrganizationRole(roles, role)?.name ?? role);
}

export function memberColumns(roles: readonly Role[], ownId: string | null): readonly Column<User>[] {
  const formatRole = (user: User) => findRoleName(user, roles);
  return [
    ...personColumns<User>(ownId),
    {
      id: "role",
      header: "Role",
      apiName: "role",
      width: "w-44",
      sortValue: formatRole,
      cell: (user) => (
        <span className={user.role === null ? "text-muted" : "wrap-anywhere"}>{formatRole(user)}</span>
      ),
    },
    {
      id: "two-factor",
      header: "Two-factor",
      apiName: "two_factor",
      width: "w-28",
      sortValue: (user) => Number(user.two_factor ?? false),
      cell: (user) => (user.two_factor ? "On" : <span className="text-muted">Off</span>),
    },
    {
      id: "last-sign-in",
      header: "Last sign-in",
      apiName: "last_signed_in_at",
      width: "w-36",
      sortValue: (user) => user.last_signed_in_at ?? null,
      cell: (user) =>
        user.last_signed_in_at ? (
          <RelativeTime at={user.last_signed_in_at} />
        ) : (
          <span className="text-muted">Never</span>
        ),
    },
    {
      id: "added",
      header: "Added",
      apiName: "added_at",
      width: "w-36",
      wide: true,
      sortValue: (user) => user.added_at,
      cell: (user) => <RelativeTime at={user.added_at} />,
    },
  ];
}
