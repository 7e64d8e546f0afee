"use client";

import { useRead } from "@/app/queries/use-read";
import { usageReads } from "@/app/usage-figures/usage-reads";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { describeRunway, estimateRunway, explainRunway } from "./runway";

/**
 * Returns how long the balance lasts, also in words. Null if nothing was spent in the last week, undefined while loading.
 * `openedAt` in Unix seconds.
 */
export function useRunway(openedAt: number) {
  const available = useRead("retrieveBalance").data?.available;
  const buckets = useRead(...usageReads(openedAt).week).data?.buckets;
  // The server doesn't know the viewer's zone.
  const timeZone = useIsHydrated() ? new Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  if (available === undefined || !buckets) return undefined;
  const runway = estimateRunway(available, buckets, openedAt);
  return (
    runway && {
      runway,
      headline: describeRunway(runway, openedAt, timeZone),
      explanation: explainRunway(runway),
    }
  );
}
