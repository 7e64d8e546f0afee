/** The organization's admin keys. The screen says so if there are more. */
export const adminKeyReads = [["listAdminApiKeys", { limit: "1000" }]] as const;
