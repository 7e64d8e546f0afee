"use client";

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { limitReads } from "@/components/rate-limits/limit-reads";
import { LimitUsageByModel } from "@/components/rate-limits/limit-usage";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { useReadEvents } from "./use-read-events";

const UsageContext = createContext(new LimitUsageByModel());
const Failure = createContext(false);

/** Follows the usage of a project's limits. All children share one stream. */
export function LimitUsageScope({ projectId, children }: { projectId: string; children: ReactNode }) {
  const read = useRead(...limitReads(projectId).usage);
  const [usageByModel] = useState(() => new LimitUsageByModel(read.data?.data));
  const late = read.data?.data;
  useEffect(() => usageByModel.update(late ?? []), [usageByModel, late]);
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: projectId }, ({ data }) =>
    usageByModel.update(data),
  );
  return (
    <Failure value={read.isError && read.data === undefined}>
      <UsageContext value={usageByModel}>{children}</UsageContext>
    </Failure>
  );
}

/** Returns true if the usage of the limits couldn't be read, so that no entry doesn't mean no usage. */
export function useIsUsageUnread(): boolean {
  return useContext(Failure);
}

/** Returns the live usage of one limit; undefined if it hasn't been used. */
export function useLimitUsageEntry(model: string, field: RateLimitField): LimitUsageEntry | undefined {
  const usageByModel = useContext(UsageContext);
  const usage = () => usageByModel.find(model, field);
  return useSyncExternalStore(usageByModel.subscribe, usage, usage);
}
