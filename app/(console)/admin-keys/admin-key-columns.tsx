import { keyColumns } from "@/components/keys/key-columns";
import { HistoryLink } from "@/components/object-page/history-link";
import { findOrganizationRole } from "@/components/roles/give-roles";
import { Badge } from "@/components/ui/badge";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";
import type { Role } from "@/lib/contract/operations/people/roles";
import { DeleteAdminKey } from "./delete-admin-key";

type AdminKeyColumns = { roles: readonly Role[]; ownId: string | null; canWrite: boolean };

export function adminKeyColumns({ roles, ownId, canWrite }: AdminKeyColumns): readonly Column<AdminApiKey>[] {
  const formatRole = ({ role }: AdminApiKey) => findOrganizationRole(roles, role)?.name ?? role;
  const columns: readonly Column<AdminApiKey>[] = [
    {
      id: "name",
      header: "Name",
      sortValue: ({ name }) => name,
      cell: ({ id, name }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {name}
          {id === ownId && <Badge>you</Badge>}
        </span>
      ),
    },
    { ...keyColumns.value, wide: true },
    {
      id: "role",
      header: "Role",
      apiName: "role",
      sortValue: formatRole,
      cell: (key) => <span className="wrap-anywhere">{formatRole(key)}</span>,
    },
    keyColumns.created,
    keyColumns.used,
    keyColumns.expires,
  ];
  if (!canWrite) return columns;
  const actions = actionsColumn<AdminApiKey>({
    width: "w-24",
    cell: (key) => (
      <>
        <HistoryLink id={key.id} rowName={key.name} />
        <DeleteAdminKey target={key} isOwn={key.id === ownId} />
      </>
    ),
  });
  return [...columns, actions];
}
