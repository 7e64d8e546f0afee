"use client";

import { useRead } from "@/app/queries/use-read";
import type { LedgerEntry } from "@/lib/contract/operations/balance";

/** Takes the entry from the list if it is there (entries never change); otherwise asks for it. */
export function useEntry(id: string, listed?: LedgerEntry) {
  const read = useRead("retrieveLedgerEntry", { entry_id: id }, { enabled: listed === undefined });
  return { ...read, data: listed ?? read.data };
}
