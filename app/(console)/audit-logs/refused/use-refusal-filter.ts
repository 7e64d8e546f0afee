"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { filterNames, refusalParameters } from "./refusal-filter";

/** What the address asks for. A range that ends now is counted from `openedAt`, when the page was made. */
export function useRefusalFilter(openedAt: number) {
  const search = useSearchParams();
  return useMemo(() => {
    const given = (name: string) => search.get(name) ?? "";
    return {
      parameters: refusalParameters(given, openedAt),
      asked: filterNames.filter((name) => given(name) !== ""),
    };
  }, [search, openedAt]);
}
