"use client";

import { useRead } from "@/app/queries/use-read";
import type { LedgerEntry } from "@/lib/contract/operations/balance";

/** One entry: as it is listed where it is, which it stays for good; else it is asked for. */
export function useEntry(id: string, listed?: LedgerEntry) {
  const read = useRead("retrieveLedgerEntry", { entry_id: id }, { enabled: listed === undefined });
  return { ...read, data: listed ?? read.data };
}
