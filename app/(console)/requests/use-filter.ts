"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { filterNames, requestParameters, timeRangeOf } from "./request-filter";

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
      range: timeRangeOf(given, openedAt),
      asked: filterNames.filter((name) => given(name) !== ""),
    };
  }, [search, openedAt]);
}

/** Changes several parameters of the address at once; undefined takes one out. */
export function changeAddress(changes: Readonly<Record<string, string | undefined>>): void {
  const parameters = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  const query = parameters.toString();
  window.history.replaceState(null, "", query ? `?${query}` : window.location.pathname);
}
