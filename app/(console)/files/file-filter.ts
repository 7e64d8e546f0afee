import { checkedParameters } from "@/components/ui/filters/checked-parameters";
import type { FindInAddress } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { filePurposes } from "@/lib/contract/calls/file-purposes";

/** Parameters of the address that filter files, by the API's names. */
export const filterNames = ["purpose"] as const;

const checks = { purpose: (text: string) => filePurposes.some((known) => known === text) };

/** Returns the list's query, of every project without one. Leaves out an unknown purpose. */
export function fileParameters(projectId: string | undefined, findInAddress: FindInAddress): ReadParameters {
  return { project_id: projectId, ...checkedParameters(filterNames, checks, findInAddress), limit: "50" };
}

export const purposeWords: Record<(typeof filePurposes)[number], string> = {
  batch: "Input of batches",
  batch_output: "Results of batches",
  user_data: "Other data",
};
