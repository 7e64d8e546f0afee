"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { timeRangeOf } from "@/components/table/time-range";
import { filterNames, requestParameters, USUAL_RANGE } from "./request-filter";

/**
 * What the address asks for. A range that ends now begins so long before `openedAt`, when the page was made: it doesn't move under
 * the reader.
 */
export function useFilter(openedAt: number) {
  const search = useSearchParams();
  return useMemo(() => {
    const given = (name: string) => search.get(name) ?? "";
    return {
      parameters: requestParameters(given, openedAt),
      range: timeRangeOf(given, openedAt, USUAL_RANGE),
      asked: filterNames.filter((name) => given(name) !== ""),
    };
  }, [search, openedAt]);
}
