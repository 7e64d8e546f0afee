"use client";

import { useCallback } from "react";
import type { FindInAddress } from "@/components/ui/filters/find-in-address";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { fileParameters, filterNames } from "./file-filter";

/** Returns the list's filter from the address. */
export function useFileFilter(projectId: string | undefined) {
  const readParameters = useCallback(
    (findInAddress: FindInAddress) => fileParameters(projectId, findInAddress),
    [projectId],
  );
  return useAddressFilter(filterNames, readParameters);
}
