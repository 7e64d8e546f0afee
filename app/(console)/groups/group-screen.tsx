"use client";

import { Trash2, UsersRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { HistoryLink } from "@/components/object-page/history-link";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ObjectState } from "@/components/queries/states/object-state";
import { ReadState } from "@/components/queries/states/read-state";
import { StaleNotice } from "@/components/queries/states/stale-notice";
import { GiveRole } from "@/components/roles/give-role";
import { HeldRoles } from "@/components/roles/held-roles";
import type { Project } from "@/components/roles/principal";
import { readsShowingRoles } from "@/components/roles/principal";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { Button } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { UnknownObject } from "@/components/ui/states/unknown-object";
import { IdChip } from "@/components/ui/text/id-chip";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import type { Group } from "@/lib/contract/operations/people/groups";
import { deleteGroup, takeGroup } from "./actions";
import { GroupMembers } from "./group-members";
import { groupReads, groupRolesRead } from "./group-reads";
import { GroupSkeleton } from "./group-skeleton";
import { RenameGroup } from "./rename-group";

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
      description="Everyone in the group may do what they allow. A role in the organization counts in every project."
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
