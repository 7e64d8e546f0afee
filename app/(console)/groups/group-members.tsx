"use client";

import { UserPlus, Users } from "lucide-react";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { findPeople } from "@/components/ui/search/find-people";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { personColumns } from "@/components/ui/table/person-columns";
import { paths } from "@/lib/console/paths";
import type { GroupUser } from "@/lib/contract/operations/people/group-users";
import type { Group } from "@/lib/contract/operations/people/groups";
import { groupReads } from "./group-reads";
import { RemoveGroupMember } from "./remove-group-member";

const AddMemberDialog = loadOnClient(() => import("./add-group-member").then((file) => file.AddGroupMember));

type GroupMembersProps = { group: Group; seesMembers: boolean; canWrite: boolean };

/** The members of a group. */
export function GroupMembers({ group, seesMembers, canWrite }: GroupMembersProps) {
  const read = groupReads(group.id).members;
  const members = useRead(...read);
  const further = useFurtherRows(read, members.data);
  const canAdd = canWrite && seesMembers;
  const dialog = useFormDialog("add-group-member", canAdd);
  const addButton = canAdd && (
    <Button onClick={dialog.open}>
      <UserPlus aria-hidden />
      Add member
    </Button>
  );
  return (
    <Section title="Members" actions={!isEmpty(members.data) && addButton}>
      <ReadState
        read={members}
        to="list who is in the group"
        skeleton={<TableSkeleton rows={3} columns={3} />}
        empty={
          <EmptyState
            icon={Users}
            title="This group has no members"
            action={addButton}
            example="For example everyone who works on one product."
          >
            Add members of the organization. They get the group’s roles immediately.
          </EmptyState>
        }
      >
        {({ data }) => (
          <div>
            <FilteredList
              caption="Members of the group"
              columns={canWrite ? [...columns, buildActionsColumn(group)] : columns}
              rows={data}
              rowId={({ id }) => id}
              rowHref={({ id }) => (seesMembers ? paths.member(id) : undefined)}
              noun="member"
              label="Search this group"
              unfilteredUpTo={20}
              find={findPeople}
              none={(typed) => `Nobody in this group has “${typed}” in their name or address.`}
              further={further}
            />
          </div>
        )}
      </ReadState>
      {dialog.isOpen && <AddMemberDialog group={group} close={dialog.close} />}
    </Section>
  );
}

const columns = personColumns<GroupUser>();

function buildActionsColumn(group: Group): Column<GroupUser> {
  return actionsColumn({
    width: "w-24",
    cell: (member) => <RemoveGroupMember group={group} member={member} />,
  });
}
