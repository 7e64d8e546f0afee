// More than one gateway offers. A longer list says so.
const parameters = { limit: "1000" };

/** What every screen of models reads, at the same time. */
export const modelReads = [
  ["listOrganizationModels", parameters],
  ["listProviders", parameters],
] as const;
