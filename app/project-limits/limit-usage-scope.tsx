"use client";

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/reads/use-read";
import { useReadEvents } from "@/app/queries/reads/use-read-events";
import { LimitUsageByModel } from "@/app/rate-limit-fields/limit-usage";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { limitReads } from "./limit-reads";

const Uses = createContext(new LimitUsageByModel());
const Failure = createContext(false);

/** Follows the use of a project's limits. All children share one stream. */
export function LimitUsageScope({ projectId, children }: { projectId: string; children: ReactNode }) {
  const read = useRead(...limitReads(projectId).usage);
  const [uses] = useState(() => new LimitUsageByModel(read.data?.data));
  const late = read.data?.data;
  useEffect(() => uses.update(late ?? []), [uses, late]);
  useReadEvents<{ data: LimitUsage[] }>("listLimitUsage", { project_id: projectId }, ({ data }) =>
    uses.update(data),
  );
  return (
    <Failure value={read.isError && read.data === undefined}>
      <Uses value={uses}>{children}</Uses>
    </Failure>
  );
}

/** Returns true if the use of the limits couldn't be read, so that no entry doesn't mean no use. */
export function useIsUsageUnread(): boolean {
  return useContext(Failure);
}

/** Returns the live use of one limit; undefined if it hasn't been used. */
export function useLimitUsageEntry(model: string, field: RateLimitField): LimitUsageEntry | undefined {
  const uses = useContext(Uses);
  const use = () => uses.find(model, field);
  return useSyncExternalStore(uses.subscribe, use, use);
}

/** Returns all uses, for a filter. With `isFollowed`, the caller rerenders on every change. */
export function useLimitUsage(isFollowed: boolean): LimitUsageByModel {
  const uses = useContext(Uses);
  const version = isFollowed ? uses.version : never;
  useSyncExternalStore(uses.subscribe, version, version);
  return uses;
}

const never = () => 0;
