import { checkedParameters } from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";

/** Parameters of the address that filter a project's tasks or batches, by the API's names. */
export const filterNames = ["status", "model"] as const;

/** Returns the list's query, of every project without one. Leaves out an unknown status. */
export function listParameters(
  projectId: string | undefined,
  statuses: readonly string[],
  findInAddress: FindInAddress,
): ReadParameters {
  const checks = { status: (text: string) => statuses.includes(text) };
  return { project_id: projectId, ...checkedParameters(filterNames, checks, findInAddress), limit: "50" };
}
