"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { FindInAddress } from "./find-in-address";

/**
 * Returns the read's parameters from the address, and which of the filters `names` are among them. Ranges that end now
 * are counted from `openedAt`, when the page was rendered, so that they stay fixed; a list without a range omits it.
 * `names` and `readParameters` must be stable.
 */
export function useAddressFilter<Name extends string, Parameters extends Partial<Record<Name, string>>>(
  names: readonly Name[],
  readParameters: (findInAddress: FindInAddress, openedAt: number) => Parameters,
  openedAt = 0,
) {
  const search = useSearchParams();
  return useMemo(() => {
    const findInAddress: FindInAddress = (name) => search.get(name) ?? "";
    const parameters = readParameters(findInAddress, openedAt);
    return { findInAddress, parameters, active: names.filter((name) => parameters[name] !== undefined) };
  }, [search, names, readParameters, openedAt]);
}
