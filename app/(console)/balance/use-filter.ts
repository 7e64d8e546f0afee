"use client";

import { useAddressFilter } from "@/components/table/use-address-filter";
import { filterNames, ledgerParameters } from "./ledger-filter";

/** What the address asks the ledger for, and whether that is of a stretch of time. */
export function useFilter(openedAt: number) {
  const { given, ...filter } = useAddressFilter(filterNames, ledgerParameters, openedAt);
  return { ...filter, isRange: ["range", "from", "to"].some((name) => given(name) !== "") };
}
