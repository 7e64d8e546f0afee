/** What the screen of payments reads, at the same time. */
export const approvalRead = "retrievePaymentApproval" as const;
export const pendingRead = { pages: "listPendingPayments", parameters: { limit: "50" } } as const;
