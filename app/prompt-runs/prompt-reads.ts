const all = { limit: "1000" };

export function promptListRead(projectId: string) {
  return ["listPrompts", { project_id: projectId, ...all }] as const;
}

/** Returns the reads of a prompt's page. */
export function promptPageReads(projectId: string, promptId: string) {
  const place = { project_id: projectId, prompt_id: promptId };
  return [
    ["retrievePrompt", place],
    ["listPromptVersions", { ...place, ...all }],
    ["listPromptRuns", place],
    ["listOrganizationModels", all],
  ] as const;
}

export function runRead(projectId: string, promptId: string, runId: string) {
  return ["retrievePromptRun", { project_id: projectId, prompt_id: promptId, run_id: runId }] as const;
}
