// More than one gateway offers. A longer list says so.
export const MOST_ROWS = "1000";

export const usageParameters = (projectId: string) => ({ project_id: projectId, limit: MOST_ROWS });

/** What both screens of rate limits read, at the same time. */
export function limitReads(projectId: string) {
  return [
    ["listRateLimits", { project_id: projectId, limit: MOST_ROWS }],
    ["listOrganizationModels", { limit: MOST_ROWS }],
    ["listLimitUsage", usageParameters(projectId)],
  ] as const;
}
