"use client";

import { useRead } from "@/app/queries/use-read";
import { holderReads } from "./role-reads";

const [[, parameters]] = holderReads;

/** Returns the prefetched role holders. Stays empty if the page didn't prefetch them because the person can't see them. */
export function useRoleHolders() {
  return useRead("listRoleHolders", parameters, { enabled: false });
}
