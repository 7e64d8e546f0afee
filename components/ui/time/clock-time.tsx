"use client";

import { formatClock } from "./describe-time";
import { HoveredTime, useShownZone } from "./shown-time";
import { useNow } from "./use-now";

type ClockTimeProps = {
  /** Unix seconds. */
  at: number;
  toMinute?: boolean;
  className?: string;
};

const IN_TABLES = "font-mono text-sm font-normal text-muted";

/** `14:19:07` in the viewer's zone, preceded by the day unless it is today. Hover shows the full time in both zones. */
export function ClockTime({ at, toMinute = false, className = IN_TABLES }: ClockTimeProps) {
  const zone = useShownZone();
  const now = useNow();
  return (
    <HoveredTime at={at} className={className}>
      {formatClock(at, now, zone, toMinute ? "minutes" : "seconds")}
    </HoveredTime>
  );
}
