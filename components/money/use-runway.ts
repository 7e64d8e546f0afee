"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { useIsHydrated } from "@/components/ui/browser/use-is-hydrated";
import { listSpendBuckets } from "@/components/usage/list-spend-buckets";
import { usageReads } from "@/components/usage/usage-reads";
import { describeRunway, estimateRunway, explainRunway } from "./runway";

/**
 * Returns how long the balance lasts, also in words. Null if nothing was spent in the last week, undefined while
 * loading. `openedAt` in Unix seconds.
 */
export function useRunway(openedAt: number) {
  const available = useRead("retrieveBalance").data?.available;
  const week = useRead(...usageReads(openedAt).week).data;
  // The server doesn't know the viewer's zone.
  const timeZone = useIsHydrated() ? new Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  if (available === undefined || !week) return undefined;
  const buckets = listSpendBuckets(week);
  const runway = estimateRunway(available, buckets, openedAt);
  return (
    runway && {
      runway,
      headline: describeRunway(runway, openedAt, timeZone),
      explanation: explainRunway(runway),
    }
  );
}
