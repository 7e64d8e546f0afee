"use client";

import { describeElapsed, formatExactTime, zoneAt } from "./describe-time";
import { HoveredTime } from "./hovered-time";
import { nowSeconds } from "./server-clock";
import { useNow } from "./use-now";
import { useShownZone } from "./use-shown-zone";

type RelativeTimeProps = {
  /** Unix seconds. */
  at: number;
  /** Also shows the exact time, if there is room. */
  withExact?: boolean;
};

/** "3 minutes ago". Hover shows the exact time in the viewer's zone and in UTC. Not a tab stop. */
export function RelativeTime({ at, withExact = false }: RelativeTimeProps) {
  const words = describeElapsed(at, useNow());
  const zone = useShownZone();
  if (withExact) {
    return (
      <time dateTime={new Date(at * 1000).toISOString()}>
        <span className="print:hidden">{words}, </span>
        <span className="text-muted">{formatExactTime(at, zone)}</span>
      </time>
    );
  }
  return <HoveredTime at={at}>{words}</HoveredTime>;
}

/** The exact time in the viewer's zone. For future times: "in 20 seconds" would be outdated at once. */
export function ExactTime({ at }: { at: number }) {
  const zone = useShownZone();
  return <time dateTime={new Date(at * 1000).toISOString()}>{formatExactTime(at, zone)}</time>;
}

/** The viewer's zone in short: `GMT+14`, `CET` or `UTC`. */
export function ViewersZone() {
  return useShownZone() === "UTC" ? "UTC" : zoneAt(nowSeconds());
}
