/** The organization's groups. A list that still has more says so. */
export const groupReads = [["listGroups", { limit: "1000" }]] as const;

/** One group and who is in it. */
export function oneGroupReads(groupId: string) {
  return [
    ["retrieveGroup", { group_id: groupId }],
    ["listGroupUsers", { group_id: groupId, limit: "1000" }],
  ] as const;
}

/** The roles one group holds in the organization. */
export function groupRoleReads(groupId: string) {
  return [["listGroupRoles", { group_id: groupId, limit: "1000" }]] as const;
}
