"use client";

import { utcTime } from "./describe-time";
import { HoveredTime } from "./hovered-time";
import { nowMs } from "./server-clock";
import { useIsHydrated } from "./use-is-hydrated";

type ClockTimeProps = {
  /** Unix seconds. */
  at: number;
  toMinute?: boolean;
};

/** `14:19:07` in the viewer's zone, preceded by the day unless it is today. Hover shows the full time in both zones. */
export function ClockTime({ at, toMinute = false }: ClockTimeProps) {
  // The server knows neither the viewer's zone nor day: it renders UTC, which the browser then replaces.
  const words = useIsHydrated() ? localTime(at, toMinute) : utcTime(at).slice(11, toMinute ? 16 : 19);
  return (
    <HoveredTime at={at} className="font-mono text-sm font-normal text-muted">
      {words}
    </HoveredTime>
  );
}

function localTime(at: number, toMinute: boolean): string {
  const date = new Date(at * 1000);
  const time = date.toLocaleTimeString("en-GB", { timeStyle: toMinute ? "short" : "medium" });
  if (date.toDateString() === new Date(nowMs()).toDateString()) return time;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} ${time}`;
}
