/** What the person in the playground may see and do. */
export type Reader = {
  /** Whether the gateway tells what a call cost. */
  seesCharges: boolean;
  /** Whether the ledger can be read: by this person, at this gateway. */
  seesLedger: boolean;
  mayPay: boolean | null;
  /** Whether prompts can be saved: by this person, at this gateway. */
  savesPrompts: boolean;
};
