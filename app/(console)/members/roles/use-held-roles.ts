"use client";

import { useRead } from "@/app/queries/use-read";
import { heldRoleReads } from "@/app/role-assignments/member-reads";

/** Returns a member's roles in the organization, if the person may see them. */
export function useHeldRoles(userId: string, mayRead: boolean) {
  const [[read, parameters]] = heldRoleReads(userId);
  return useRead(read, parameters, { enabled: mayRead });
}
