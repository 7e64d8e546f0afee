/** What the person can see and do in the playground. */
export type PlaygroundRights = {
  /** True if the gateway reports the charges of calls. */
  seesCharges: boolean;
  /** True if the gateway has a ledger and the person can read it. */
  seesLedger: boolean;
  /** True if the person can read the balance. */
  seesBalance: boolean;
  canPay: boolean | null;
  /** True unless the person is known to lack the permission. */
  seesLimits: boolean;
  /** True if the gateway can run a prompt's cases and the person may. */
  runsCases: boolean;
  /** True if the gateway can save prompts and the person may. */
  savesPrompts: boolean;
  /** True if the person may make calls as the project's keys. */
  runsAsKeys: boolean;
  /** True if the person may preview calls as roles. */
  previewsAsRoles: boolean;
};
