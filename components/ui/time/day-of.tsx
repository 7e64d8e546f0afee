"use client";

import { formatDay } from "./describe-time";
import { HoveredTime, useShownZone } from "./shown-time";

/** `Sun 22 Nov`, for days near the present. Hover shows the exact time. */
export function DayOf({ at }: { at: number }) {
  const zone = useShownZone();
  return <HoveredTime at={at}>{formatDay(at, zone)}</HoveredTime>;
}
