"use client";

import { useSyncExternalStore } from "react";
import { describeElapsed, formatExactTime, formatUtcTime, zoneAt } from "./describe-time";
import { HoveredTime } from "./hovered-time";
import { nowMs } from "./server-clock";
import { useIsHydrated } from "./use-is-hydrated";

const TICK_MS = 30_000;

function everyTick(listener: () => void) {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}
const now = () => Math.floor(nowMs() / TICK_MS) * TICK_MS;

type RelativeTimeProps = {
  /** Unix seconds. */
  at: number;
  /** Also shows the exact time, if there is room. */
  withExact?: boolean;
};

/** "3 minutes ago". Hover shows the exact time in the viewer's zone and in UTC. Not a tab stop. */
export function RelativeTime({ at, withExact = false }: RelativeTimeProps) {
  // The server doesn't know the viewer's zone: it renders UTC, which the browser then replaces.
  const tick = useSyncExternalStore(everyTick, now, () => undefined);
  if (tick === undefined)
    return <time dateTime={new Date(at * 1000).toISOString()}>{formatUtcTime(at)}</time>;
  const words = describeElapsed(at, tick / 1000);
  if (withExact) {
    return (
      <time dateTime={new Date(at * 1000).toISOString()}>
        <span className="print:hidden">{words}, </span>
        <span className="text-muted">{formatExactTime(at)}</span>
      </time>
    );
  }
  return <HoveredTime at={at}>{words}</HoveredTime>;
}

/** The exact time in the viewer's zone. For future times: "in 20 seconds" would be outdated at once. */
export function ExactTime({ at }: { at: number }) {
  const words = useIsHydrated() ? formatExactTime(at) : formatUtcTime(at);
  return <time dateTime={new Date(at * 1000).toISOString()}>{words}</time>;
}

/** The viewer's zone in short: `GMT+14`, `CET` or `UTC`. */
export function ViewersZone() {
  return useIsHydrated() ? zoneAt(Math.floor(nowMs() / 1000)) : "UTC";
}
