"use client";

import { useCallback } from "react";
import type { FindInAddress } from "@/components/ui/filters/find-in-address";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { filterNames, listParameters } from "./status-model-filter";

/** Returns the filter of a list of tasks or batches from the address. `statuses` must be stable. */
export function useStatusModelFilter(projectId: string | undefined, statuses: readonly string[]) {
  const readParameters = useCallback(
    (findInAddress: FindInAddress) => listParameters(projectId, statuses, findInAddress),
    [projectId, statuses],
  );
  return useAddressFilter(filterNames, readParameters);
}
