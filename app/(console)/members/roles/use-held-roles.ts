"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { heldRolesRead } from "@/components/roles/member-reads";

/** Returns a member's roles in the organization, if the person may see them. */
export function useHeldRoles(userId: string, { canRead }: { canRead: boolean }) {
  return useRead(...heldRolesRead(userId), { enabled: canRead });
}
