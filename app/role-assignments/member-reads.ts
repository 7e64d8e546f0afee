/** The organization's members. The screen says so if there are more. */
export const memberReads = [["listUsers", { limit: "1000" }]] as const;

/** For people who can see invitations. */
export const inviteReads = [["listInvites", { limit: "1000" }]] as const;

/** Names and permissions of roles, for people who can see them. */
export const roleReads = [["listRoles", { limit: "1000" }]] as const;

/** For people who can see which roles members hold. */
export const holderReads = [["listRoleHolders", { limit: "1000" }]] as const;

/** Returns the reads of a member and their sessions. */
export function memberDetailReads(userId: string) {
  return [
    ["retrieveUser", { user_id: userId }],
    ["listUserSessions", { user_id: userId, limit: "1000" }],
  ] as const;
}

/** Returns the read of a member's roles in the organization, direct and through groups. */
export function heldRoleReads(userId: string) {
  return [["listUserRoles", { user_id: userId, limit: "1000" }]] as const;
}
