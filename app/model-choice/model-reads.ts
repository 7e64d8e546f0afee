// More than any gateway has in practice. The screens say so if a list is longer.
const parameters = { limit: "1000" };

/** The reads of every model screen, made in parallel. */
export const modelReads = [
  ["listOrganizationModels", parameters],
  ["listProviders", parameters],
] as const;
