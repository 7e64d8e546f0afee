"use client";

import { formatUtcTime } from "./describe-time";
import { HoveredTime } from "./hovered-time";
import { nowMs } from "./server-clock";
import { useIsHydrated } from "./use-is-hydrated";

type ClockTimeProps = {
  /** Unix seconds. */
  at: number;
  toMinute?: boolean;
  className?: string;
};

const IN_TABLES = "font-mono text-sm font-normal text-muted";

/** `14:19:07` in the viewer's zone, preceded by the day unless it is today. Hover shows the full time in both zones. */
export function ClockTime({ at, toMinute = false, className = IN_TABLES }: ClockTimeProps) {
  // The server knows neither the viewer's zone nor day: it renders UTC, which the browser then replaces.
  const words = useIsHydrated() ? localClock(at, toMinute) : formatUtcTime(at).slice(11, toMinute ? 16 : 19);
  return (
    <HoveredTime at={at} className={className}>
      {words}
    </HoveredTime>
  );
}

// Made once: a table has hundreds of times, and making one takes longer than formatting.
const toSeconds = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const toMinutes = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

function localClock(at: number, toMinute: boolean): string {
  const date = new Date(at * 1000);
  const time = (toMinute ? toMinutes : toSeconds).format(date);
  if (date.toDateString() === new Date(nowMs()).toDateString()) return time;
  return `${day.format(date)} ${time}`;
}
