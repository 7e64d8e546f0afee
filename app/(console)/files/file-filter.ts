import type { FindInAddress } from "@/components/filters/find-in-address";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { filePurposes } from "@/lib/contract/calls/file-purposes";

/** Parameters of the address that filter files, by the API's names. */
export const filterNames = ["purpose"] as const;

/** Returns the list's query, of every project without one. Leaves out an unknown purpose. */
export function fileParameters(projectId: string | undefined, findInAddress: FindInAddress): ReadParameters {
  const purpose = filePurposes.find((known) => known === findInAddress("purpose"));
  return { project_id: projectId, purpose, limit: "50" };
}

export const purposeWords: Record<(typeof filePurposes)[number], string> = {
  batch: "Input of batches",
  batch_output: "Results of batches",
  user_data: "Other data",
};
