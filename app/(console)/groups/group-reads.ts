/** The organization's groups. The screen says so if there are more. */
export const groupReads = [["listGroups", { limit: "1000" }]] as const;

/** Returns the reads of a group and its members. */
export function groupDetailReads(groupId: string) {
  return [
    ["retrieveGroup", { group_id: groupId }],
    ["listGroupUsers", { group_id: groupId, limit: "1000" }],
  ] as const;
}

/** Returns the reads of a group's roles in the organization. */
export function groupRoleReads(groupId: string) {
  return [["listGroupRoles", { group_id: groupId, limit: "1000" }]] as const;
}
