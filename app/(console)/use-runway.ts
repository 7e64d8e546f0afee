"use client";

import { useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/use-read";
import { usageReads } from "./reads-of-usage";
import { describeRunway, explainRunway, runwayOf } from "./runway";

const never = () => () => {};
const viewersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns how long the balance lasts, also in words. Null if nothing was spent in the last week, undefined while loading.
 * `openedAt` in Unix seconds.
 */
export function useRunway(openedAt: number) {
  const available = useRead("retrieveBalance").data?.available;
  const buckets = useRead(...usageReads(openedAt).week).data?.buckets;
  // The server doesn't know the viewer's zone.
  const timeZone = useSyncExternalStore(never, viewersZone, () => "UTC");
  if (available === undefined || !buckets) return undefined;
  const runway = runwayOf(available, buckets, openedAt);
  return (
    runway && {
      runway,
      headline: describeRunway(runway, openedAt, timeZone),
      explanation: explainRunway(runway),
    }
  );
}
