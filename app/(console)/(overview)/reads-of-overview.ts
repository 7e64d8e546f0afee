/** The latest rows of the ledger. */
export const latestEntries = ["listLedger", { limit: "5" }] as const;

export const listedModels = ["listOrganizationModels", { limit: "1000" }] as const;

/** What tells whether a project's first steps are done: one row of each is enough. */
export function stepReads(projectId: string) {
  return {
    keys: ["listProjectApiKeys", { project_id: projectId, limit: "1" }],
    limits: ["listRateLimits", { project_id: projectId, limit: "1000" }],
    charges: ["listLedger", { project_id: projectId, kind: "charge", limit: "1" }],
  } as const;
}
