"use client";

import { useRead } from "@/app/queries/use-read";
import { holderReads } from "./reads-of-roles";

const [[, parameters]] = holderReads;

/** Who holds which role, as the page began to read it: never where the page didn't, because the person may not see it. */
export function useRoleHolders() {
  return useRead("listRoleHolders", parameters, { enabled: false });
}
