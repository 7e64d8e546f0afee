"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { Given } from "./time-range";

/**
 * Returns the read's parameters from the address, and which of the filters `names` are set. Ranges that end now are counted from
 * `openedAt`, when the page was rendered, so that they stay fixed. `names` and `parametersOf` must be stable.
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
      active: names.filter((name) => given(name) !== ""),
    };
  }, [search, names, parametersOf, openedAt]);
}
