import { firstRows, wholeList } from "@/components/queries/reads/whole-list";

export function promptListRead(projectId: string) {
  return firstRows("listPrompts", { project_id: projectId });
}

/** Returns the reads of a prompt's page. */
export function promptPageReads(projectId: string, promptId: string) {
  const parameters = { project_id: projectId, prompt_id: promptId };
  return {
    prompt: ["retrievePrompt", parameters],
    versions: wholeList("listPromptVersions", parameters),
    runs: ["listPromptRuns", parameters],
    models: wholeList("listOrganizationModels"),
  } as const;
}

export function runRead(projectId: string, promptId: string, runId: string) {
  return ["retrievePromptRun", { project_id: projectId, prompt_id: promptId, run_id: runId }] as const;
}
