"use client";

import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { filterNames, ledgerParameters } from "./ledger-filter";

/** Returns the ledger's filter from the address. `isRange` is true if it sets a time range. */
export function useLedgerFilter(openedAt: number) {
  const { findInAddress, ...filter } = useAddressFilter(filterNames, ledgerParameters, openedAt);
  return { ...filter, isRange: ["range", "from", "to"].some((name) => findInAddress(name) !== "") };
}
