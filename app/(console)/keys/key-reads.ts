/** Returns the read of each key's usage since a time in Unix seconds. */
export function keyUsageRead(projectId: string, since: number) {
  const grouping = { group_by: "api_key_id", bucket_width: "range", limit: "1000" };
  return ["listUsageSums", { project_id: projectId, start_time: String(since), ...grouping }] as const;
}

/**
 * Returns the reads of a project's keys, and of the models for a new key's example call. The screen says so if there are more
 * keys.
 */
export function keyReads(projectId: string) {
  return [
    ["listProjectApiKeys", { project_id: projectId, limit: "1000" }],
    ["listOrganizationModels", { limit: "1000" }],
  ] as const;
}
