"use client";

import { KeySquare, Trash2 } from "lucide-react";
import { keyColumns } from "@/components/keys/key-columns";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { findKeys } from "@/components/keys/key-reads";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { findOrganizationRole } from "@/components/roles/give-roles";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Badge } from "@/components/ui/status";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";
import type { Role } from "@/lib/contract/operations/people/roles";
import { adminKeysRead } from "./admin-key-reads";

const CreateAdminKeyDialog = loadOnClient(() =>
  import("./create-admin-key").then((file) => file.CreateAdminKey),
);

type AdminKeyScreenProps = {
  held: HeldPermissions | null;
  /** The key used for this session; null for a member. */
  ownId: string | null;
  canWrite: boolean;
};

export function AdminKeyScreen({ held, ownId, canWrite }: AdminKeyScreenProps) {
  const keys = useRead(...adminKeysRead);
  const further = useFurtherRows(adminKeysRead, keys.data);
  const roles = useOrganizationRoles();
  const dialog = useFormDialog("new-admin-key", canWrite);
  const createButton = canWrite && <CreateButton noun="admin key" onClick={dialog.open} />;
  return (
    <>
      <PageHead
        title="Admin keys"
        sentence="An admin key lets a program manage the organization through the API, within the limits of its role."
        action={!isEmpty(keys.data) && createButton}
      />
      <ReadState
        read={keys}
        to="list the admin keys"
        skeleton={<TableSkeleton rows={4} columns={6} />}
        empty={
          <EmptyState
            icon={KeySquare}
            title="No admin keys yet"
            action={createButton}
            example="For example “terraform”, with a role that may create projects and nothing else."
          >
            Programs that call models have keys of a project instead.
          </EmptyState>
        }
      >
        {({ data }) => (
          <FilteredList
            caption="Admin keys of the organization"
            columns={adminKeyColumns({ roles, ownId, canWrite })}
            rows={data}
            rowId={({ id }) => id}
            noun="admin key"
            label="Search admin keys"
            unfilteredUpTo={10}
            find={findKeys}
            none={(typed) => `No admin key has “${typed}” in its name or last characters.`}
            download={<CsvLink href={buildExportUrl("listAdminApiKeys")} />}
            further={further}
          />
        )}
      </ReadState>
      {dialog.isOpen && <CreateAdminKeyDialog roles={roles} held={held} close={dialog.close} />}
    </>
  );
}

type AdminKeyColumns = { roles: readonly Role[]; ownId: string | null; canWrite: boolean };

function adminKeyColumns({ roles, ownId, canWrite }: AdminKeyColumns): readonly Column<AdminApiKey>[] {
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
