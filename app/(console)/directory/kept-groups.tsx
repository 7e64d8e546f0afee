"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { holdersRead } from "@/components/roles/member-reads";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { SortedTable } from "@/components/ui/table/sorted-table";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { countNouns } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { Group } from "@/lib/contract/operations/people/groups";
import { groupsRead } from "./directory-reads";

type KeptGroupsProps = {
  /** True if the person can see who holds which role. */
  seesHolders: boolean;
  isConnected: boolean;
};

/** The groups that the directory keeps, with the roles that they give. */
export function KeptGroups({ seesHolders, isConnected }: KeptGroupsProps) {
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
