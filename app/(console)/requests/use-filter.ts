"use client";

import { parseTimeRange } from "@/components/table/time-range";
import { useAddressFilter } from "@/components/table/use-address-filter";
import { DEFAULT_RANGE, filterNames, requestParameters } from "./request-filter";

/** Returns the list's filter and time range from the address. */
export function useFilter(openedAt: number) {
  const { given, ...filter } = useAddressFilter(filterNames, requestParameters, openedAt);
  return { ...filter, range: parseTimeRange(given, openedAt, DEFAULT_RANGE) };
}
