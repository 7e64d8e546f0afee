"use client";

import { useSyncExternalStore } from "react";
import { utcTime } from "./describe-time";
import { HoveredTime } from "./hovered-time";

type ClockTimeProps = {
  /** Unix seconds. */
  at: number;
  toMinute?: boolean;
};

const never = () => () => {};

/** `14:19:07`, with its day before it unless that is today, in the viewer's zone; both zones in full on hover. */
export function ClockTime({ at, toMinute = false }: ClockTimeProps) {
  // The server knows neither the viewer's zone nor day: it writes UTC, which the browser then replaces.
  const words = useSyncExternalStore(
    never,
    () => localTime(at, toMinute),
    () => utcTime(at).slice(11, toMinute ? 16 : 19),
  );
  return (
    <HoveredTime at={at} className="font-mono text-sm font-normal text-muted">
      {words}
    </HoveredTime>
  );
}

function localTime(at: number, toMinute: boolean): string {
  const date = new Date(at * 1000);
  const time = date.toLocaleTimeString("en-GB", { timeStyle: toMinute ? "short" : "medium" });
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} ${time}`;
}
