/** The requests of others that the person may decide, newest first. */
export const waitingRead = ["listAccessRequests", { of: "others", status: "pending", limit: "20" }] as const;
