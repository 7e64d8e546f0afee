"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/use-read";
import { useReadEvents } from "@/app/queries/use-read-events";
import type { LimitUsage, UsedLimit } from "@/lib/contract/operations/limit-usage";
import type { RateLimitField } from "@/lib/contract/rate-limit-table";
import { LimitUses } from "./limit-uses";
import { usageParameters } from "./reads-of-limits";

const Uses = createContext(new LimitUses());

/** Follows what a project's limits have in use: one stream for all that is shown below it. */
export function LimitUsesScope({ projectId, children }: { projectId: string; children: ReactNode }) {
  const read = useRead("listLimitUsage", usageParameters(projectId));
  const [uses] = useState(() => new LimitUses(read.data?.data));
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: projectId }, ({ data }) =>
    uses.tell(data),
  );
  return <Uses value={uses}>{children}</Uses>;
}

/** One limit's use, as it changes; undefined where it was never used. */
export function useLimitUse(model: string, field: RateLimitField): UsedLimit | undefined {
  const uses = useContext(Uses);
  const use = () => uses.of(model, field);
  return useSyncExternalStore(uses.subscribe, use, use);
}

/** All of them, for a filter: where it is followed, whoever asks is drawn anew with each change. */
export function useLimitUses(isFollowed: boolean): LimitUses {
  const uses = useContext(Uses);
  const version = isFollowed ? uses.version : never;
  useSyncExternalStore(uses.subscribe, version, version);
  return uses;
}

const never = () => 0;
