"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { auditLogParameters, filterNames } from "./audit-log-filter";

/** What the address asks for. A range that ends now is counted from `openedAt`, when the page was made. */
export function useFilter(openedAt: number) {
  const search = useSearchParams();
  return useMemo(() => {
    const given = (name: string) => search.get(name) ?? "";
    return {
      parameters: auditLogParameters(given, openedAt),
      asked: filterNames.filter((name) => given(name) !== ""),
    };
  }, [search, openedAt]);
}
