"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { FindInAddress } from "./time-range";

/**
 * Returns the read's parameters from the address, and which of the filters `names` are set. Ranges that end now are counted from
 * `openedAt`, when the page was rendered, so that they stay fixed. `names` and `readParameters` must be stable.
 */
export function useAddressFilter<Name extends string, Parameters>(
  names: readonly Name[],
  readParameters: (findInAddress: FindInAddress, openedAt: number) => Parameters,
  openedAt: number,
) {
  const search = useSearchParams();
  return useMemo(() => {
    const findInAddress: FindInAddress = (name) => search.get(name) ?? "";
    return {
      findInAddress,
      parameters: readParameters(findInAddress, openedAt),
      active: names.filter((name) => findInAddress(name) !== ""),
    };
  }, [search, names, readParameters, openedAt]);
}
