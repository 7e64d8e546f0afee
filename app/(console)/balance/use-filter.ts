"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { filterNames, ledgerParameters } from "./ledger-filter";

/** What the address asks for. A range that ends now begins so long before `openedAt`, when the page was made. */
export function useFilter(openedAt: number) {
  const search = useSearchParams();
  return useMemo(() => {
    const given = (name: string) => search.get(name) ?? "";
    const isRange = ["range", "from", "to"].some((name) => given(name) !== "");
    return {
      parameters: ledgerParameters(given, openedAt),
      asked: filterNames.filter((name) => given(name) !== ""),
      isRange,
    };
  }, [search, openedAt]);
}
