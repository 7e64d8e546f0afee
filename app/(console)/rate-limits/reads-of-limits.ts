// More than one gateway offers. A longer list says so.
export const MOST_ROWS = "1000";

/** What both screens of rate limits read, at the same time. */
export function limitReads(projectId: string) {
  return [
    ["listRateLimits", { project_id: projectId, limit: MOST_ROWS }],
    ["listOrganizationModels", { limit: MOST_ROWS }],
  ] as const;
}
