"use client";

import { useRead } from "@/app/queries/use-read";
import type { AssignedRole } from "@/lib/contract/operations/role-assignments";
import { heldRoleReads } from "./reads-of-members";

/** The roles a member holds in the organization; undefined where the person may not see them. */
export function useHeldRoles(userId: string, mayRead: boolean): readonly AssignedRole[] | undefined {
  const [[read, parameters]] = heldRoleReads(userId);
  return useRead(read, parameters, { enabled: mayRead }).data?.data;
}
