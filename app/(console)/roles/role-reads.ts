/** The read of all role screens, cached for all of them. */
export const roleReads = [["listRoles", { limit: "1000" }]] as const;

/** For people who can see who holds roles. */
export const holderReads = [["listRoleHolders", { limit: "1000" }]] as const;
