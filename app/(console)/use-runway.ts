"use client";

import { useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/use-read";
import { usageReads } from "./reads-of-usage";
import { describeRunway, explainRunway, type Runway, runwayOf } from "./runway";

const never = () => () => {};
const viewersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How long the balance lasts, in words too; null where nothing is spent, or not both can be read. `openedAt` in Unix seconds. */
export function useRunway(openedAt: number) {
  const available = useRead("retrieveBalance").data?.available;
  const buckets = useRead(...usageReads(openedAt).week).data?.buckets;
  // The server doesn't know the viewer's zone.
  const timeZone = useSyncExternalStore(never, viewersZone, () => "UTC");
  const runway: Runway | null =
    available !== undefined && buckets ? runwayOf(available, buckets, openedAt) : null;
  return (
    runway && {
      runway,
      headline: describeRunway(runway, openedAt, timeZone),
      explanation: explainRunway(runway),
    }
  );
}
