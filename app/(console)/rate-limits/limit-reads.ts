// More than any gateway has in practice. The screens say so if a list is longer.
export const MAX_ROWS = "1000";

export const usageParameters = (projectId: string) => ({ project_id: projectId, limit: MAX_ROWS });

/** The reads of both rate limit screens, made in parallel. */
export function limitReads(projectId: string) {
  return [
    ["listRateLimits", { project_id: projectId, limit: MAX_ROWS }],
    ["listOrganizationModels", { limit: MAX_ROWS }],
    ["listLimitUsage", usageParameters(projectId)],
  ] as const;
}
