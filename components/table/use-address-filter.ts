"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { Given } from "./time-range";

/**
 * What the address asks a list for: the parameters of its read, and which of the filters `names` it sets. A range that ends now is
 * counted from `openedAt`, when the page was made: it doesn't move under the reader. `names` and `parametersOf` stay the same.
 */
export function useAddressFilter<Name extends string, Parameters>(
  names: readonly Name[],
  parametersOf: (given: Given, openedAt: number) => Parameters,
  openedAt: number,
) {
  const search = useSearchParams();
  return useMemo(() => {
    const given: Given = (name) => search.get(name) ?? "";
    return {
      given,
      parameters: parametersOf(given, openedAt),
      asked: names.filter((name) => given(name) !== ""),
    };
  }, [search, names, parametersOf, openedAt]);
}
