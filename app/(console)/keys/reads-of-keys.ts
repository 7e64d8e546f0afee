const DAY_S = 86_400;

/** When the last 30 days began, in Unix seconds: by the minute, so that a page that is opened again finds what it read. */
export function thirtyDaysBefore(now: number): number {
  return now - (now % 60) - 30 * DAY_S;
}

/** What each key's calls come to since a moment (Unix seconds). */
export function keyUsageRead(projectId: string, since: number) {
  const grouping = { group_by: "api_key_id", bucket_width: "range", limit: "1000" };
  return ["listUsageSums", { project_id: projectId, start_time: String(since), ...grouping }] as const;
}

/** The project's keys, and the models for the snippet with a new one. A list that still has more says so. */
export function keyReads(projectId: string) {
  return [
    ["listProjectApiKeys", { project_id: projectId, limit: "1000" }],
    ["listOrganizationModels", { limit: "1000" }],
  ] as const;
}
