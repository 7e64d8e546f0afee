import { firstRows, wholeList } from "@/components/queries/reads/whole-list";

export const groupsRead = firstRows("listGroups", { order: "desc" });

/** Returns the reads of a group's page. */
export function groupReads(groupId: string) {
  return {
    group: ["retrieveGroup", { group_id: groupId }],
    members: firstRows("listGroupUsers", { group_id: groupId, order: "desc" }),
  } as const;
}

/** Returns the read of a group's roles in the organization. */
export function groupRolesRead(groupId: string) {
  return wholeList("listGroupRoles", { group_id: groupId });
}
