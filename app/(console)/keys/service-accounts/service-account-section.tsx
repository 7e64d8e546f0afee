"use client";

import { Bot, KeyRound, Pencil, Trash2 } from "lucide-react";
import { deleteServiceAccount } from "@/app/(console)/keys/actions";
import { serviceAccountRead } from "@/components/keys/key-reads";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { findByNameOrId } from "@/components/ui/search/find-people";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import type { ServiceAccount } from "@/lib/contract/operations/keys/service-accounts";
import { roleNames } from "../service-account-roles";

const EditAccountDialog = loadOnClient(() =>
  import("./service-account-dialogs").then((file) => file.EditServiceAccountDialog),
);

function EditServiceAccount({ projectId, account }: { projectId: string; account: ServiceAccount }) {
  const formName = `service-account-${account.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Change the service account “${account.name}”`}
        icon={<Pencil />}
        onClick={dialog.open}
      />
      {dialog.isOpen && (
        <EditAccountDialog projectId={projectId} account={account} formName={formName} close={dialog.close} />
      )}
    </>
  );
}

const AccountKeyDialog = loadOnClient(() =>
  import("./service-account-dialogs").then((file) => file.AccountKeyDialog),
);

type CreateAccountKeyProps = { projectId: string; account: ServiceAccount; baseUrl: string };

function CreateAccountKey(props: CreateAccountKeyProps) {
  const formName = `new-key-${props.account.id}`;
  const dialog = useFormDialog(formName);
  return (
    <>
      <IconButton
        size="small"
        label={`Create a key for “${props.account.name}”`}
        icon={<KeyRound />}
        onClick={dialog.open}
      />
      {dialog.isOpen && <AccountKeyDialog {...props} formName={formName} close={dialog.close} />}
    </>
  );
}

const CreateAccountDialog = loadOnClient(() =>
  import("./service-account-dialogs").then((file) => file.CreateServiceAccount),
);

type ServiceAccountSectionProps = {
  project: { id: string; name: string };
  canWrite: boolean;
  /** The gateway's address for programs. */
  baseUrl: string;
};

/** Service accounts. Each has a role and its own keys, which are deleted with it. */
export function ServiceAccountSection({ project, canWrite, baseUrl }: ServiceAccountSectionProps) {
  const read = serviceAccountRead(project.id);
  const accounts = useRead(...read);
  const further = useFurtherRows(read, accounts.data, "account");
  const dialog = useFormDialog("new-service-account", canWrite);
  const createButton = canWrite && (
    <CreateButton noun="service account" variant="secondary" onClick={dialog.open} />
  );
  return (
    <ListSection
      title="Service accounts"
      description="For programs that need their own role, or several keys that are revoked together. Their keys are in the list above."
      read={accounts}
      to="list the service accounts"
      size={{ rows: 2, columns: 4 }}
      empty={{
        icon: Bot,
        title: "No service accounts yet",
        example: "For example “deploy pipeline”: as Project owner it can create keys.",
        children: "A service account represents a program. Its keys have its role and are revoked with it.",
      }}
      add={createButton}
      dialog={
        dialog.isOpen && <CreateAccountDialog projectId={project.id} baseUrl={baseUrl} close={dialog.close} />
      }
    >
      {({ data }) => (
        <FilteredList
          caption="Service accounts of the project"
          columns={canWrite ? [...columns, buildActionsColumn(project, baseUrl)] : columns}
          rows={data}
          rowId={({ id }) => id}
          noun="service account"
          label="Search service accounts"
          parameter="account"
          unfilteredUpTo={20}
          find={findByNameOrId}
          none={(typed) => `No service account has “${typed}” in its name or id.`}
          further={further}
        />
      )}
    </ListSection>
  );
}

const columns: readonly Column<ServiceAccount>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  {
    id: "id",
    header: "Id",
    wide: true,
    phone: "hidden",
    cell: ({ id }) => <IdChip id={id} what="service account id" />,
  },
  {
    id: "role",
    header: "Role",
    apiName: "role",
    width: "w-40",
    sortValue: ({ role }) => roleNames[role],
    cell: ({ role }) => <span className={role === "none" ? "text-muted" : ""}>{roleNames[role]}</span>,
  },
  {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-36",
    sortValue: (account) => account.created_at,
    cell: (account) => <RelativeTime at={account.created_at} />,
  },
];

function buildActionsColumn(project: { id: string }, baseUrl: string): Column<ServiceAccount> {
  return actionsColumn({
    width: "w-40",
    cell: (account) => (
      <>
        <CreateAccountKey projectId={project.id} account={account} baseUrl={baseUrl} />
        <HistoryLink id={account.id} projectId={project.id} rowName={account.name} />
        <EditServiceAccount projectId={project.id} account={account} />
        <DeleteServiceAccount projectId={project.id} account={account} />
      </>
    ),
  });
}

type DeleteServiceAccountProps = { projectId: string; account: ServiceAccount };

function DeleteServiceAccount({ projectId, account }: DeleteServiceAccountProps) {
  const { id, name, version } = account;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Delete the service account “${name}”`}
          icon={<Trash2 />}
          onClick={ask}
        />
      )}
      title={`Delete the service account “${name}”?`}
      confirmLabel="Delete service account"
      action={deleteServiceAccount}
      input={{ projectId, accountId: id, version }}
      refetch={["listServiceAccounts", "listProjectApiKeys"]}
      done={() => `Service account “${name}” deleted`}
    >
      All its keys are revoked immediately, including those of running programs. Their past usage stays in the
      ledger. This can’t be undone.
    </ConfirmedAction>
  );
}
