"use client";

import { Trash2, UserRoundCog } from "lucide-react";
import { keyColumns } from "@/components/keys/key-columns";
import { deleteAdminKey } from "@/components/keys/key-form-actions";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { holdersRead } from "@/components/roles/member-reads";
import { Card } from "@/components/ui/card";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { TextLink } from "@/components/ui/links/text-link";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { CopyButton } from "@/components/ui/text/copy-button";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { AdminApiKey } from "@/lib/contract/operations/keys/admin-api-keys";
import type { Group } from "@/lib/contract/operations/people/groups";
import { groupsRead, tokensRead } from "./directory-reads";
import { OrphanedKeys } from "./orphaned-keys";

const CreateTokenDialog = loadOnClient(() => import("./create-token").then((file) => file.CreateToken));

type DirectoryScreenProps = {
  /** Of SCIM at the gateway. */
  address: string;
  sees: { groups: boolean; holders: boolean; keys: boolean };
  canConnect: boolean;
  /** True if the person may keep and revoke keys of some project. */
  canDecide: boolean;
};

/** How a directory reaches the gateway, the groups that it keeps, and the keys of people who have left. */
export function DirectoryScreen({ address, sees, canConnect, canDecide }: DirectoryScreenProps) {
  const keys = useRead(...tokensRead);
  const tokens = keys.data?.data.filter(({ role }) => role === "directory") ?? [];
  const dialog = useFormDialog("new-directory-token", canConnect);
  const createButton = canConnect && <CreateButton noun="token" onClick={dialog.open} />;
  return (
    <>
      <PageHead
        title="Directory"
        sentence="Okta, Entra or another directory adds, changes and deactivates members over SCIM 2.0, and decides who is in which group."
        action={tokens.length > 0 && createButton}
      />
      <div className="grid gap-10">
        <Section title="Connection">
          <ReadState read={keys} to="list the tokens" skeleton={<TableSkeleton rows={2} columns={5} />}>
            {() =>
              tokens.length === 0 ? (
                <EmptyState
                  icon={UserRoundCog}
                  title="No directory is connected"
                  action={createButton}
                  example={
                    <>
                      Address for SCIM: <SpelledAddress address={address} />
                    </>
                  }
                >
                  {canConnect
                    ? "Create a token, and enter it in the directory together with the address below. Then assign roles to the groups that it sends."
                    : "Somebody with the Owner role connects one, with a token."}
                </EmptyState>
              ) : (
                <div className="grid gap-3">
                  <Card>
                    <dl>
                      <dt className="text-sm text-muted">Address for SCIM</dt>
                      <dd className="mt-1">
                        <SpelledAddress address={address} />
                      </dd>
                    </dl>
                  </Card>
                  <SortedTable
                    caption="Tokens of directories"
                    columns={canConnect ? [...tokenColumns, tokenActions] : tokenColumns}
                    rows={tokens}
                    rowId={({ id }) => id}
                  />
                </div>
              )
            }
          </ReadState>
        </Section>
        {sees.groups && <KeptGroups seesHolders={sees.holders} isConnected={tokens.length > 0} />}
        {sees.keys && <OrphanedKeys canDecide={canDecide} />}
        <p className="text-sm text-muted">
          <TextLink className="underline" href={paths.guide("signing-in")}>
            How to connect Okta and Entra
          </TextLink>
        </p>
      </div>
      {dialog.isOpen && <CreateTokenDialog address={address} close={dialog.close} />}
    </>
  );
}

function SpelledAddress({ address }: { address: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="min-w-0 font-mono text-sm break-all">{address}</code>
      <CopyButton text={address} what="address" />
    </span>
  );
}

const tokenColumns: readonly Column<AdminApiKey>[] = [
  {
    id: "name",
    header: "Token",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  { ...keyColumns.value, wide: true },
  keyColumns.created,
  { ...keyColumns.used, header: "Last request" },
  keyColumns.expires,
];

const tokenActions = actionsColumn<AdminApiKey>({
  width: "w-24",
  cell: ({ id, name, version }) => (
    <>
      <HistoryLink id={id} rowName={name} />
      <ConfirmedAction
        renderButton={(ask) => (
          <IconButton size="small" label={`Revoke token “${name}”`} icon={<Trash2 />} onClick={ask} />
        )}
        title={`Revoke the token “${name}”?`}
        confirmLabel="Revoke token"
        action={deleteAdminKey}
        input={{ keyId: id, version }}
        refetch={["listAdminApiKeys", "listRoleHolders"]}
        done={() => `Token “${name}” revoked`}
      >
        The directory’s requests with it are refused immediately. Members and groups stay as they are. This
        can’t be undone.
      </ConfirmedAction>
    </>
  ),
});

type KeptGroupsProps = {
  /** True if the person can see who holds which role. */
  seesHolders: boolean;
  isConnected: boolean;
};

/** The groups that the directory keeps, with the roles that they give. */
function KeptGroups({ seesHolders, isConnected }: KeptGroupsProps) {
  const groups = useRead(...groupsRead);
  const holders = useRead(...holdersRead, { enabled: seesHolders }).data;
  const countRoles = ({ id }: Group) => holders?.data.filter(({ holder }) => holder.id === id).length ?? 0;
  const kept = groups.data?.data.filter((group) => group.is_scim_managed) ?? [];
  if (!isConnected && kept.length === 0) return null;
  return (
    <Section
      title="Groups from the directory"
      description="The directory decides who is in each group. You decide here what they may do: assign roles to each group."
    >
      <ReadState read={groups} to="list the groups" skeleton={<TableSkeleton rows={3} columns={3} />}>
        {() =>
          kept.length === 0 ? (
            <Card className="text-sm text-muted">
              The directory has sent no group yet. People it adds have no role until they are in a group that
              holds one.
            </Card>
          ) : (
            <SortedTable
              caption="Groups that the directory keeps"
              columns={columnsWith(holders && !holders.has_more ? countRoles : null)}
              rows={kept}
              rowId={({ id }) => id}
              rowHref={({ id }) => paths.group(id)}
            />
          )
        }
      </ReadState>
    </Section>
  );
}

/** `countRoles` is null if not all holders of roles are known. */
function columnsWith(countRoles: ((group: Group) => number) | null): readonly Column<Group>[] {
  const name: Column<Group> = {
    id: "name",
    header: "Group",
    sortValue: (group) => group.name,
    cell: (group) => <span className="wrap-anywhere">{group.name}</span>,
  };
  const created: Column<Group> = {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-40",
    sortValue: (group) => group.created_at,
    cell: (group) => <RelativeTime at={group.created_at} />,
  };
  if (!countRoles) return [name, created];
  const roles: Column<Group> = {
    id: "roles",
    header: "Roles",
    width: "w-32",
    sortValue: countRoles,
    cell: (group) =>
      countRoles(group) > 0 ? (
        countNouns(countRoles(group), "role")
      ) : (
        <span className="text-warning">None yet</span>
      ),
  };
  return [name, roles, created];
}
