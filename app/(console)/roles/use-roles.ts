"use client";

import { useRead } from "@/app/queries/use-read";
import { roleReads } from "./role-reads";

const [[, parameters]] = roleReads;

export function useRoles() {
  return useRead("listRoles", parameters);
}
