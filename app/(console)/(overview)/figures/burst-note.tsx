"use client";

import { formatClock } from "@/components/ui/time/describe-time";
import { useNow } from "@/components/ui/time/use-now";
import { useShownZone } from "@/components/ui/time/use-shown-zone";
import { formatCount } from "@/components/ui/values/group-digits";
import { listBucketTimes } from "@/components/usage/build-series";
import { DAY_MS } from "@/lib/contract/durations";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { findBurst } from "./find-burst";

type BurstNoteProps = { summary: UsageSummary; counts: readonly number[] };

/**
 * Says when most refusals of the range were: "214 of them 14:00 to 15:00". Renders nothing if they are spread over it.
 */
export function BurstNote({ summary, counts }: BurstNoteProps) {
  const zone = useShownZone();
  const now = useNow();
  const burst = findBurst(counts);
  const times = listBucketTimes(summary);
  const from = burst && times[burst.first];
  if (!burst || from === undefined || from === null) return null;
  const seconds = summary.bucket_seconds;
  const isByDay = seconds * 1000 >= DAY_MS;
  const end = (times[burst.last] ?? from) + (isByDay ? 0 : seconds);
  const isStillOn = burst.last === times.length - 1;
  const format = (at: number) => (isByDay ? utcDay.format(at * 1000) : formatClock(at, now, zone, "minutes"));
  const isOneDay = isByDay && burst.first === burst.last;
  return (
    <span className="block">
      {formatCount(burst.count)} of them{" "}
      {isOneDay
        ? `on ${format(from)}`
        : isStillOn
          ? `since ${format(from)}`
          : `${format(from)} to ${format(end)}`}
    </span>
  );
}

const utcDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
