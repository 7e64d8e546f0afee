"use client";

import { UsersRound } from "lucide-react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { holdersRead } from "@/components/roles/member-reads";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { PageHead } from "@/components/ui/page";
import { findByNameOrId } from "@/components/ui/search/find-people";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Badge } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { FilteredList, type FurtherRows } from "@/components/ui/table/filtered-list";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { Quantity } from "@/components/ui/values/quantity";
import { paths } from "@/lib/console/paths";
import { buildExportUrl, type ReadReply } from "@/lib/console/reads/reads";
import type { Group } from "@/lib/contract/operations/people/groups";
import { groupsRead } from "./group-reads";

const CreateGroupDialog = loadOnClient(() => import("./group-dialogs").then((file) => file.CreateGroup));

type GroupListScreenProps = {
  /** True if the person can see who holds which role. */
  seesHolders: boolean;
  canCreate: boolean;
};

export function GroupListScreen({ seesHolders, canCreate }: GroupListScreenProps) {
  const groups = useRead(...groupsRead);
  const further = useFurtherRows(groupsRead, groups.data);
  const holders = useRead(...holdersRead, { enabled: seesHolders });
  const dialog = useFormDialog("new-group", canCreate);
  const createButton = canCreate && <CreateButton noun="group" onClick={dialog.open} />;
  return (
    <>
      <PageHead
        title="Groups"
        sentence="Members who share roles. Everyone in a group holds its roles while they are in it."
        action={!isEmpty(groups.data) && createButton}
      />
      <ReadState
        read={groups}
        to="list the groups"
        skeleton={<TableSkeleton rows={4} columns={4} />}
        empty={
          <EmptyState
            icon={UsersRound}
            title="No groups yet"
            action={createButton}
            example={canCreate && "For example “Data science”, with the role Project member in two projects."}
          >
            {canCreate
              ? "Give a role to a group once instead of to each member."
              : "Members of a group share its roles. Whoever may change groups can create the first one."}
          </EmptyState>
        }
      >
        {({ data }) => <GroupList groups={data} further={further} holders={holders.data} />}
      </ReadState>
      {dialog.isOpen && <CreateGroupDialog close={dialog.close} />}
    </>
  );
}

type Holders = ReadReply<"listRoleHolders">;
type GroupListProps = {
  groups: readonly Group[];
  further: FurtherRows<Group>;
  /** Undefined if they aren't loaded or the person can't see them. */
  holders: Holders | undefined;
};

function GroupList({ groups, further, holders }: GroupListProps) {
  return (
    <FilteredList
      caption="Groups of the organization"
      columns={columnsWith(holders)}
      rows={groups}
      rowId={({ id }) => id}
      rowHref={({ id }) => paths.group(id)}
      noun="group"
      label="Search groups"
      unfilteredUpTo={10}
      find={findByNameOrId}
      none={(typed) => `No group has “${typed}” in its name or id.`}
      download={<CsvLink href={buildExportUrl("listGroups")} />}
      further={further}
    />
  );
}

const columns: readonly Column<Group>[] = [
  {
    id: "name",
    header: "Name",
    sortValue: ({ name }) => name,
    cell: ({ name, is_scim_managed: isKept }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
        {name}
        {isKept && <Badge>directory</Badge>}
      </span>
    ),
  },
  { id: "id", header: "Id", width: "w-72", cell: ({ id }) => <IdChip id={id} what="group id" /> },
  {
    id: "created",
    header: "Created",
    apiName: "created_at",
    width: "w-40",
    sortValue: (group) => group.created_at,
    cell: (group) => <RelativeTime at={group.created_at} />,
  },
];

/** Returns the columns. Includes the number of roles if all holders are known. */
function columnsWith(holders: Holders | undefined): readonly Column<Group>[] {
  if (!holders || holders.has_more) return columns;
  const countHolders = ({ id }: Group) => holders.data.filter(({ holder }) => holder.id === id).length;
  const roles: Column<Group> = {
    id: "roles",
    header: "Roles",
    width: "w-28",
    numeric: true,
    sortValue: countHolders,
    cell: (group) => <Quantity value={countHolders(group)} />,
  };
  return [...columns, roles];
}
