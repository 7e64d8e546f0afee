"use client";

import { UserMinus, UserPlus, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { readsShowingRoles } from "@/components/roles/principal";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { findPeople } from "@/components/ui/search/find-people";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { personColumns } from "@/components/ui/table/person-columns";
import { paths } from "@/lib/console/paths";
import type { GroupUser } from "@/lib/contract/operations/people/group-users";
import type { Group } from "@/lib/contract/operations/people/groups";
import { removeGroupMember } from "./actions";
import { groupReads } from "./group-reads";

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
    <ListSection
      title="Members"
      read={members}
      to="list who is in the group"
      size={{ rows: 3, columns: 3 }}
      empty={{
        icon: Users,
        title: "This group has no members",
        example: "For example everyone who works on one product.",
        children: group.is_scim_managed
          ? "The directory decides who is in it."
          : "Add members of the organization. They get the group’s roles immediately.",
      }}
      add={addButton}
      dialog={dialog.isOpen && <AddMemberDialog group={group} close={dialog.close} />}
    >
      {({ data }) => (
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
      )}
    </ListSection>
  );
}

const columns = personColumns<GroupUser>();

function buildActionsColumn(group: Group): Column<GroupUser> {
  return actionsColumn({
    width: "w-24",
    cell: (member) => <RemoveGroupMember group={group} member={member} />,
  });
}

function RemoveGroupMember({ group, member }: { group: Group; member: GroupUser }) {
  const router = useRouter();
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <IconButton
          size="small"
          label={`Remove ${member.name} from the group`}
          icon={<UserMinus />}
          onClick={ask}
          className="relative z-1"
        />
      )}
      title={`Remove ${member.name} from “${group.name}”?`}
      confirmLabel="Remove from group"
      action={removeGroupMember}
      input={{ groupId: group.id, userId: member.id }}
      refetch={["listGroupUsers", ...readsShowingRoles]}
      done={() => `${member.name} removed from “${group.name}”`}
      // The removed member may be the person, whose roles decide what the shell shows.
      onDone={() => router.refresh()}
    >
      What they hold through the group ends at once. What they hold themselves, or through other groups,
      stays.
    </ConfirmedAction>
  );
}
