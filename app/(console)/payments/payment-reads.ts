/** The reads of the payments screen, made in parallel. */
export const approvalRead = "retrievePaymentApproval" as const;
export const pendingRead = { pages: "listPendingPayments", parameters: { limit: "50" } } as const;
