/** The organization's members. A list that still has more says so. */
export const memberReads = [["listUsers", { limit: "1000" }]] as const;

/** For those who may see invitations. */
export const inviteReads = [["listInvites", { limit: "1000" }]] as const;

/** For those who may see roles: their names, and what they carry. */
export const roleReads = [["listRoles", { limit: "1000" }]] as const;

/** For those who may see which roles members hold. */
export const holderReads = [["listRoleHolders", { limit: "1000" }]] as const;

/** One member, and where they are signed in. */
export function oneMemberReads(userId: string) {
  return [
    ["retrieveUser", { user_id: userId }],
    ["listUserSessions", { user_id: userId, limit: "1000" }],
  ] as const;
}

/** The roles one member holds in the organization, directly and through groups. */
export function heldRoleReads(userId: string) {
  return [["listUserRoles", { user_id: userId, limit: "1000" }]] as const;
}
