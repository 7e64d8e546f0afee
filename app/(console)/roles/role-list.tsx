"use client";

import { ProblemState } from "@/app/queries/problem-state";
import { StaleNotice } from "@/app/queries/stale-notice";
import type { Column } from "@/components/table/column";
import { CsvLink } from "@/components/table/csv-link";
import { FilterInput } from "@/components/table/filter-input";
import { SortedTable } from "@/components/table/sorted-table";
import { Toolbar } from "@/components/table/toolbar";
import { useUrlParameter } from "@/components/table/use-url-parameter";
import { Badge } from "@/components/ui/badge";
import { Quantity } from "@/components/ui/quantity";
import { paths } from "@/lib/console/paths";
import { exportUrl } from "@/lib/console/reads";
import type { RoleHolder } from "@/lib/contract/operations/role-holders";
import type { Role } from "@/lib/contract/operations/roles";
import { filterRoles } from "./filter-roles";
import { nameResource } from "./resource-names";
import { RoleListSkeleton } from "./role-list-skeleton";
import { useRoleHolders } from "./use-role-holders";
import { useRoles } from "./use-roles";

/** With how many hold each, where that is known of all. */
function columnsWith(holders: readonly RoleHolder[] | undefined): readonly Column<Role>[] {
  if (!holders) return columns;
  const countOf = ({ id }: Role) => holders.filter(({ role_id }) => role_id === id).length;
  const heldBy: Column<Role> = {
    id: "held-by",
    header: "Held by",
    width: "w-28",
    phone: "hidden",
    numeric: true,
    sortValue: countOf,
    cell: (role) => <Quantity value={countOf(role)} />,
  };
  return [...columns.slice(0, -1), heldBy, ...columns.slice(-1)];
}

const columns: readonly Column<Role>[] = [
  {
    id: "name",
    header: "Name",
    width: "w-56",
    sortValue: ({ name }) => name,
    cell: ({ name, description }) => (
      <>
        <span className="wrap-anywhere">{name}</span>
        <span className="block text-sm font-normal wrap-anywhere text-muted sm:hidden">{description}</span>
      </>
    ),
  },
  {
    id: "kind",
    header: "Kind",
    width: "w-32",
    phone: "end",
    sortValue: ({ predefined_role }) => (predefined_role ? "predefined" : "custom"),
    cell: ({ predefined_role }) => (predefined_role ? <Badge>predefined</Badge> : "custom"),
  },
  {
    id: "description",
    header: "Description",
    phone: "hidden",
    cell: ({ description }) => (
      <span className="wrap-anywhere text-muted">{description || "No description"}</span>
    ),
  },
  {
    id: "resource",
    header: "Applies to",
    apiName: "resource_type",
    width: "w-36",
    phone: "hidden",
    sortValue: ({ resource_type }) => nameResource(resource_type),
    cell: ({ resource_type }) => nameResource(resource_type),
  },
  {
    id: "permissions",
    header: "Permissions",
    width: "w-32",
    numeric: true,
    sortValue: ({ permissions }) => permissions.length,
    cell: ({ permissions }) => <Quantity value={permissions.length} />,
  },
];

export function RoleList() {
  const roles = useRoles();
  const { data: holders } = useRoleHolders();
  const [filter] = useUrlParameter("q");

  if (!roles.data && roles.error) {
    const retry = () => void roles.refetch();
    return <ProblemState problem={roles.error.problem} to="list the roles" retry={retry} />;
  }
  if (!roles.data) return <RoleListSkeleton />;
  return (
    <>
      <StaleNotice read={roles} />
      <Toolbar actions={<CsvLink href={exportUrl("listRoles")} />}>
        <FilterInput label="Search roles" />
      </Toolbar>
      <SortedTable
        caption="Roles of the organization"
        columns={columnsWith(holders?.has_more ? undefined : holders?.data)}
        rows={filterRoles(roles.data.data, filter)}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.role(id)}
        none={`No role has “${filter}” in its name, description or permissions.`}
      />
      {roles.data.has_more && (
        <p className="mt-2 text-sm text-muted">
          These are the first {roles.data.data.length}. The others are in the API, page by page.
        </p>
      )}
    </>
  );
}
