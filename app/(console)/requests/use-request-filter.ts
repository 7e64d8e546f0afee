"use client";

import { parseTimeRange } from "@/components/ui/filters/time-range";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { DEFAULT_RANGE, filterNames, requestParameters } from "./request-filter";

/** Returns the list's filter and time range from the address. */
export function useRequestFilter(openedAt: number) {
  const { findInAddress, ...filter } = useAddressFilter(filterNames, requestParameters, openedAt);
  return { ...filter, range: parseTimeRange(findInAddress, openedAt, DEFAULT_RANGE) };
}
