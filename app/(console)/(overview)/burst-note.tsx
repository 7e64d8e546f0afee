"use client";

import { listBucketTimes } from "@/app/usage-figures/build-series";
import { formatCount } from "@/components/ui/group-digits";
import { nowMs } from "@/components/ui/server-clock";
import { useIsHydrated } from "@/components/ui/use-is-hydrated";
import { DAY_MS } from "@/lib/contract/durations";
import type { UsageSummary } from "@/lib/contract/operations/usage-summary";
import { findBurst } from "./find-burst";

type BurstNoteProps = { summary: UsageSummary; counts: readonly number[] };

/** Says when most refusals of the range were: "214 of them 14:00 to 15:00". Renders nothing if they are spread over it. */
export function BurstNote({ summary, counts }: BurstNoteProps) {
  const isHydrated = useIsHydrated();
  const burst = findBurst(counts);
  const times = listBucketTimes(summary);
  const from = burst && times[burst.first];
  if (!burst || from === undefined || from === null) return null;
  const seconds = summary.bucket_seconds;
  const isByDay = seconds * 1000 >= DAY_MS;
  const end = (times[burst.last] ?? from) + (isByDay ? 0 : seconds);
  const isStillOn = burst.last === times.length - 1;
  const format = (at: number) => (isByDay ? utcDay.format(at * 1000) : formatHour(at, isHydrated));
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
const utcHour = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
const localDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const localHour = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

/** `14:00` in the viewer's zone, preceded by the day unless it is today. The server, which knows neither, writes UTC. */
function formatHour(at: number, isLocal: boolean): string {
  const date = new Date(at * 1000);
  if (!isLocal) return utcHour.format(date);
  const isToday = date.toDateString() === new Date(nowMs()).toDateString();
  return isToday ? localHour.format(date) : `${localDay.format(date)} ${localHour.format(date)}`;
}
