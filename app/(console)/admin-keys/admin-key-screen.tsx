"use client";

import { KeySquare } from "lucide-react";
import { findKeys } from "@/components/keys/find-keys";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { useOrganizationRoles } from "@/components/roles/use-organization-roles";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FilteredList } from "@/components/ui/table/filtered-list";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { buildExportUrl } from "@/lib/console/reads/reads";
import { adminKeyColumns } from "./admin-key-columns";
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
