"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { ReadParameter } from "./time-range";

/**
 * Returns the read's parameters from the address, and which of the filters `names` are set. Ranges that end now are counted from
 * `openedAt`, when the page was rendered, so that they stay fixed. `names` and `parametersOf` must be stable.
 */
export function useAddressFilter<Name extends string, Parameters>(
  names: readonly Name[],
  readParameters: (readParameter: ReadParameter, openedAt: number) => Parameters,
  openedAt: number,
) {
  const search = useSearchParams();
  return useMemo(() => {
    const readParameter: ReadParameter = (name) => search.get(name) ?? "";
    return {
      given: readParameter,
      parameters: readParameters(readParameter, openedAt),
      active: names.filter((name) => readParameter(name) !== ""),
    };
  }, [search, names, readParameters, openedAt]);
}
