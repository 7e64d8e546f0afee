"use client";

import { UsersRound } from "lucide-react";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { holdersRead } from "@/components/roles/member-reads";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { PageHead } from "@/components/ui/page-head";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { GroupList } from "./group-list";
import { groupsRead } from "./group-reads";

const CreateGroupDialog = loadOnClient(() => import("./create-group").then((file) => file.CreateGroup));

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
