"use client";

import { useRead } from "@/components/queries/reads/use-read";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";

/** Uses the entry from the list if present, since entries never change. Otherwise fetches it. */
export function useEntry(id: string, listed?: LedgerEntry) {
  const read = useRead("retrieveLedgerEntry", { entry_id: id }, { enabled: listed === undefined });
  return { ...read, data: listed ?? read.data };
}
