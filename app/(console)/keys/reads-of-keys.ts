/** The project's keys, and the models for the snippet with a new one. A list that still has more says so. */
export function keyReads(projectId: string) {
  return [
    ["listProjectApiKeys", { project_id: projectId, limit: "1000" }],
    ["listOrganizationModels", { limit: "1000" }],
  ] as const;
}
