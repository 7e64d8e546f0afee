import type { ReadParameters } from "@/lib/console/reads";
import { taskStatuses } from "@/lib/contract/operations/tasks";

/** What the address may say of which tasks are listed, by the API's names. */
export const filterNames = ["status", "model"] as const;

/** The query of the list; a status that there is none of is as if it weren't there. */
export function taskParameters(projectId: string, given: (name: string) => string): ReadParameters {
  const status = taskStatuses.find((known) => known === given("status").trim());
  return { project_id: projectId, status, model: given("model").trim() || undefined, limit: "50" };
}
