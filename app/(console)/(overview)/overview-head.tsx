"use client";

import { useSyncExternalStore } from "react";
import { useRead } from "@/app/queries/use-read";
import { PageHead } from "@/components/ui/page-head";
import { usageReads } from "./reads-of-overview";
import { describeRunway, explainRunway, runwayOf } from "./runway";

const never = () => () => {};
const viewersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Until when the balance lasts, where money is spent and both can be read. */
export function OverviewHead({ openedAt }: { openedAt: number }) {
  const available = useRead("retrieveBalance").data?.available;
  const buckets = useRead(...usageReads(openedAt).week).data?.buckets;
  // The server doesn't know the viewer's zone.
  const timeZone = useSyncExternalStore(never, viewersZone, () => "UTC");
  const runway = available !== undefined && buckets ? runwayOf(available, buckets, openedAt) : null;
  if (!runway) {
    return (
      <PageHead
        title="Overview"
        sentence="What is left to spend, what was spent last, and where programs call."
      />
    );
  }
  return <PageHead title={describeRunway(runway, openedAt, timeZone)} sentence={explainRunway(runway)} />;
}
