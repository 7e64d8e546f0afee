"use client";

import { useRead } from "@/app/queries/use-read";
import { heldRoleReads } from "./reads-of-members";

/** The roles a member holds in the organization, where the person may see them. */
export function useHeldRoles(userId: string, mayRead: boolean) {
  const [[read, parameters]] = heldRoleReads(userId);
  return useRead(read, parameters, { enabled: mayRead });
}
