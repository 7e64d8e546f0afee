"use client";

import { Trash2, UserMinus, UserPlus, Users, UsersRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { ListSection } from "@/components/queries/states/list-section";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { GiveRole, HeldRoles } from "@/components/roles/held-roles";
import { type Project, readsShowingRoles } from "@/components/roles/principal";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { IconButton } from "@/components/ui/icon-button";
import { Page, PageHead } from "@/components/ui/page";
import { findPeople } from "@/components/ui/search/find-people";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { actionsColumn } from "@/components/ui/table/actions-column";
import type { Column } from "@/components/ui/table/column";
import { personColumns } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Group, GroupUser } from "@/lib/contract/operations/people/groups";
import { deleteGroup, removeGroupMember, takeGroup } from "./actions";
import { groupReads, groupRolesRead } from "./group-reads";
import { GroupSkeleton } from "./group-skeleton";

type GroupScreenProps = {
  groupId: string;
  held: HeldPermissions | null;
  projects: readonly Project[];
  seesRoles: boolean;
  /** True if the person can see the organization's members, and so select some. */
  seesMembers: boolean;
  canWrite: boolean;
};

/** A group with its members and roles. */
export function GroupScreen({ groupId, canWrite, seesMembers, seesRoles, ...known }: GroupScreenProps) {
  const group = useRead(...groupReads(groupId).group);
  return (
    <ObjectState
      read={group}
      object={group.data}
      to="show the group"
      skeleton={<GroupSkeleton />}
      unknown={<UnknownObject noun="group" id={groupId} icon={UsersRound} list={paths.groups()} />}
    >
      {(one) => (
        <Page>
          <PageCrumb label={one.name} />
          <PageHead
            title={<span className="wrap-anywhere">{one.name}</span>}
            beside={<IdChip id={one.id} what="group id" />}
            sentence={
              <>
                Created <RelativeTime at={one.created_at} />
                {one.is_scim_managed && ", kept by the directory"}
              </>
            }
            action={
              <>
                <HistoryLink id={one.id} />
                {canWrite && <DeleteGroup group={one} />}
                {canWrite && (one.is_scim_managed ? <TakeGroup group={one} /> : <RenameGroup group={one} />)}
              </>
            }
          />
          <StaleNotice read={group} />
          <div className="grid gap-10">
            <GroupMembers group={one} seesMembers={seesMembers} canWrite={canWrite && !one.is_scim_managed} />
            {seesRoles && <GroupRoles group={one} {...known} />}
          </div>
        </Page>
      )}
    </ObjectState>
  );
}

type GroupRolesProps = Pick<GroupScreenProps, "held" | "projects"> & { group: Group };

function GroupRoles({ group: { id, name }, held, projects }: GroupRolesProps) {
  const roles = useRead(...groupRolesRead(id));
  const principal = { type: "group", id, name } as const;
  return (
    <Section
      title="Roles"
      description="They apply to everyone in the group. A role in the organization applies in every project."
      actions={<GiveRole principal={principal} projects={projects} held={held} />}
    >
      <ReadState read={roles} to="show the roles" skeleton={<TableSkeleton rows={1} columns={2} />}>
        {({ data }) => <HeldRoles principal={principal} held={held} everywhere={data} projects={projects} />}
      </ReadState>
    </Section>
  );
}

/** Lets people change a group that a directory keeps. */
function TakeGroup({ group: { id, name, version } }: { group: Group & { version?: string | undefined } }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>Take from the directory</Button>}
      title={`Take the group “${name}” from the directory?`}
      confirmLabel="Take group"
      danger={false}
      action={takeGroup}
      input={{ groupId: id, version }}
      refetch={["retrieveGroup", "listGroups"]}
      done={() => `Group “${name}” can be changed here now`}
    >
      Its members and roles stay, and can be changed here. If the directory changes it again, the directory
      keeps it again: stop sending it there first.
    </ConfirmedAction>
  );
}

function DeleteGroup({ group: { id, name, version } }: { group: Group & { version?: string | undefined } }) {
  const router = useRouter();
  const members = useRead(...groupReads(id).members).data;
  const count = members && !members.has_more ? members.data.length : null;
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button onClick={ask}>
          <Trash2 aria-hidden />
          Delete group
        </Button>
      )}
      title={`Delete the group “${name}”?`}
      confirmLabel="Delete group"
      action={deleteGroup}
      input={{ groupId: id, version }}
      refetch={["listGroups", ...readsShowingRoles]}
      done={() => `Group “${name}” deleted`}
      leave={() => router.push(paths.groups())}
    >
      {count === null
        ? "What its members hold"
        : `What its ${formatCount(count)} ${count === 1 ? "member holds" : "members hold"}`}{" "}
      through it ends at once. The members themselves stay. This can’t be undone.
    </ConfirmedAction>
  );
}

const RenameGroupDialog = loadOnClient(() =>
  import("./group-dialogs").then((file) => file.RenameGroupDialog),
);

function RenameGroup({ group }: { group: Group }) {
  const dialog = useFormDialog("rename-group");
  return (
    <>
      <Button onClick={dialog.open}>Rename</Button>
      {dialog.isOpen && <RenameGroupDialog group={group} close={dialog.close} />}
    </>
  );
}

const AddMemberDialog = loadOnClient(() => import("./group-dialogs").then((file) => file.AddGroupMember));

type GroupMembersProps = { group: Group; seesMembers: boolean; canWrite: boolean };

/** The members of a group. */
function GroupMembers({ group, seesMembers, canWrite }: GroupMembersProps) {
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
