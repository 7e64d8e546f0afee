/** What every screen of roles reads: once for all of them. */
export const roleReads = [["listRoles", { limit: "1000" }]] as const;

/** For those who may see who holds roles. */
export const holderReads = [["listRoleHolders", { limit: "1000" }]] as const;
