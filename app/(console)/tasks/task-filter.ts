import type { ReadParameters } from "@/lib/console/reads/reads";
import { taskStatuses } from "@/lib/contract/task-statuses";

/** Parameters of the address that filter tasks, by the API's names. */
export const filterNames = ["status", "model"] as const;

/** Returns the list's query. Leaves out an unknown status. */
export function taskParameters(projectId: string, given: (name: string) => string): ReadParameters {
  const status = taskStatuses.find((known) => known === given("status").trim());
  return { project_id: projectId, status, model: given("model").trim() || undefined, limit: "50" };
}
