"use client";

import { useRead } from "@/app/queries/reads/use-read";
import { rolesRead } from "@/app/role-assignments/member-reads";

export function useRoles() {
  return useRead(...rolesRead);
}
