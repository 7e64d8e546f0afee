import type { ReadParameters } from "@/lib/console/reads/reads";
import { batchStatuses } from "@/lib/contract/batch-statuses";

/** Parameters of the address that filter batches, by the API's names. */
export const filterNames = ["status", "model"] as const;

/** Returns the list's query. Leaves out an unknown status. */
export function batchParameters(projectId: string, given: (name: string) => string): ReadParameters {
  const status = batchStatuses.find((known) => known === given("status").trim());
  return { project_id: projectId, status, model: given("model").trim() || undefined, limit: "50" };
}
