"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/use-read";
import { useReadEvents } from "@/app/queries/use-read-events";
import type { LimitUsage, UsedLimit } from "@/lib/contract/operations/limit-usage";
import type { RateLimitField } from "@/lib/contract/rate-limit-table";
import { LimitUses } from "./limit-uses";
import { usageParameters } from "./reads-of-limits";

const Uses = createContext(new LimitUses());

/** Follows the use of a project's limits. All children share one stream. */
export function LimitUsesScope({ projectId, children }: { projectId: string; children: ReactNode }) {
  const read = useRead("listLimitUsage", usageParameters(projectId));
  const [uses] = useState(() => new LimitUses(read.data?.data));
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: projectId }, ({ data }) =>
    uses.tell(data),
  );
  return <Uses value={uses}>{children}</Uses>;
}

/** Returns the live use of one limit; undefined if it hasn't been used. */
export function useLimitUse(model: string, field: RateLimitField): UsedLimit | undefined {
  const uses = useContext(Uses);
  const use = () => uses.of(model, field);
  return useSyncExternalStore(uses.subscribe, use, use);
}

/** Returns all uses, for a filter. With `isFollowed`, the caller rerenders on every change. */
export function useLimitUses(isFollowed: boolean): LimitUses {
  const uses = useContext(Uses);
  const version = isFollowed ? uses.version : never;
  useSyncExternalStore(uses.subscribe, version, version);
  return uses;
}

const never = () => 0;
