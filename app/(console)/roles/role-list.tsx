"use client";

import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { rolesRead } from "@/components/roles/member-reads";
import { containsWords } from "@/components/ui/search/match-words";
import { Badge } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { Role, RoleHolder } from "@/lib/contract/operations/people/roles";
import { nameResource } from "./resource-names";
import { roleDescriptionColumn, roleNameColumn, rolePermissionsColumn } from "./role-columns";
import { RoleListSkeleton } from "./role-skeletons";
import { useRoleHolders } from "./use-role-holders";

/** Returns the columns. Includes the number of holders if all are known. */
function columnsWith(holders: readonly RoleHolder[] | undefined): readonly Column<Role>[] {
  if (!holders) return columns;
  const countHolders = ({ id }: Role) => holders.filter(({ role_id }) => role_id === id).length;
  const heldBy: Column<Role> = {
    id: "held-by",
    header: "Held by",
    width: "w-20",
    phone: "hidden",
    numeric: true,
    sortValue: countHolders,
    cell: (role) => <Quantity value={countHolders(role)} />,
  };
  return [...columns.slice(0, -1), heldBy, ...columns.slice(-1)];
}

const columns: readonly Column<Role>[] = [
  roleNameColumn(),
  {
    id: "kind",
    header: "Kind",
    width: "w-28",
    phone: "end",
    sortValue: ({ predefined_role }) => (predefined_role ? "predefined" : "custom"),
    cell: ({ predefined_role }) => (predefined_role ? <Badge>predefined</Badge> : "custom"),
  },
  roleDescriptionColumn,
  {
    id: "resource",
    header: "Applies to",
    apiName: "resource_type",
    width: "w-32",
    phone: "hidden",
    sortValue: ({ resource_type }) => nameResource(resource_type),
    cell: ({ resource_type }) => nameResource(resource_type),
  },
  rolePermissionsColumn,
];

export function RoleList() {
  const roles = useRead(...rolesRead);
  const further = useFurtherRows(rolesRead, roles.data);
  const { data: holders } = useRoleHolders();
  return (
    <ReadState read={roles} to="list the roles" skeleton={<RoleListSkeleton />}>
      {({ data }) => (
        <FilteredList
          caption="Roles of the organization"
          columns={columnsWith(holders?.has_more ? undefined : holders?.data)}
          rows={data}
          rowId={({ id }) => id}
          rowHref={({ id }) => paths.role(id)}
          noun="role"
          label="Search roles"
          find={filterRoles}
          none={(typed) => `No role has “${typed}” in its name, description or permissions.`}
          download={<CsvLink href={buildExportUrl("listRoles")} />}
          further={further}
        />
      )}
    </ReadState>
  );
}

/** Returns the roles whose name, description and permissions contain every word of the search. */
function filterRoles(roles: readonly Role[], search: string): Role[] {
  return roles.filter(({ name, description, permissions }) =>
    containsWords([name, description, ...permissions].join(" "), search),
  );
}
