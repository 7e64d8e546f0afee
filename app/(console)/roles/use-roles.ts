"use client";

import { useRead } from "@/app/queries/use-read";
import { roleReads } from "./reads-of-roles";

const [[, parameters]] = roleReads;

export function useRoles() {
  return useRead("listRoles", parameters);
}
