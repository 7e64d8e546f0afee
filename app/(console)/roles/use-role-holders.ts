"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { holdersRead } from "@/components/roles/member-reads";

/**
 * Returns the prefetched role holders. Stays empty if the page didn't prefetch them because the person can't see them.
 */
export function useRoleHolders() {
  return useRead(...holdersRead, { enabled: false });
}
