import type { ReactNode } from "react";
import type { Column } from "@/components/ui/table/column";
import { Quantity } from "@/components/ui/values/quantity";
import type { Role } from "@/lib/contract/operations/people/roles";

export function roleNameColumn(mark?: (role: Role) => ReactNode): Column<Role> {
  return {
    id: "name",
    header: "Name",
    width: "w-44",
    sortValue: ({ name }) => name,
    cell: (role) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
        {role.name}
        {mark?.(role)}
      </span>
    ),
  };
}

export const roleDescriptionColumn: Column<Role> = {
  id: "description",
  header: "Description",
  phone: "note",
  cell: ({ description }) => (
    <span className="wrap-anywhere text-muted">{description || "No description"}</span>
  ),
};

export const rolePermissionsColumn: Column<Role> = {
  id: "permissions",
  header: "Permissions",
  width: "w-28",
  numeric: true,
  sortValue: ({ permissions }) => permissions.length,
  cell: ({ permissions }) => <Quantity value={permissions.length} />,
};
