/** The read of the amount above which a payment needs a second person. */
export const approvalRead = "retrievePaymentApproval" as const;
