"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { useShownZone } from "@/components/ui/time/use-shown-zone";
import { nameZone } from "@/components/ui/time/zone-offset";
import { listSpendBuckets } from "@/components/usage/list-spend-buckets";
import { usageReads } from "@/components/usage/usage-reads";
import { describeRunway, estimateRunway, explainRunway, measurePace } from "./runway";

/**
 * Returns how long the balance lasts, also in words. Null if nothing was spent in the last week, undefined while
 * loading. `openedAt` in Unix seconds.
 */
export function useRunway(openedAt: number, enabled = true) {
  const available = useRead("retrieveBalance", undefined, { enabled }).data?.available;
  const pace = usePace(openedAt, enabled);
  const timeZone = useShownZone() === "UTC" ? "UTC" : nameZone();
  if (available === undefined || pace === undefined) return undefined;
  if (pace === null) return null;
  const runway = estimateRunway(available, pace);
  return {
    runway,
    headline: describeRunway(runway, openedAt, timeZone),
    explanation: explainRunway(runway),
  };
}

/** Returns what a day of the last week cost. Null if nothing was spent in it, undefined while loading. */
export function usePace(openedAt: number, enabled = true) {
  const week = useRead(...usageReads(openedAt).week, { enabled }).data;
  return week && measurePace(listSpendBuckets(week), openedAt);
}
