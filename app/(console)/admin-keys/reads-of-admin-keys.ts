/** The organization's admin keys. A list that still has more says so. */
export const adminKeyReads = [["listAdminApiKeys", { limit: "1000" }]] as const;
