import { Trash2 } from "lucide-react";
import { keyColumns } from "@/components/keys/key-columns";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { findOrganizationRole } from "@/components/roles/give-roles";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { RelativeTime } from "@/components/ui/time/relative-time";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";
import type { Role } from "@/lib/contract/operations/people/roles";

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

type DeleteAdminKeyProps = {
  target: AdminApiKey;
  /** True if this session uses the key. */
  isOwn: boolean;
};

function DeleteAdminKey({ target, isOwn }: DeleteAdminKeyProps) {
  const { id, name, version, last_used_at: usedAt } = target;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton size="small" label={`Revoke admin key “${name}”`} icon={<Trash2 />} onClick={ask} />
      )}
      title={`Revoke the admin key “${name}”?`}
      confirmLabel="Revoke admin key"
      action={deleteAdminKey}
      input={{ keyId: id, version }}
      refetch={["listAdminApiKeys"]}
      done={() => `Admin key “${name}” revoked`}
    >
      Requests with it are refused immediately, and sessions opened with it end
      {isOwn && ", yours too"}.{" "}
      {usedAt === null ? (
        "It has never been used."
      ) : (
        <>
          It was last used <RelativeTime at={usedAt} />.
        </>
      )}{" "}
      This can’t be undone.
    </ConfirmedAction>
  );
}
