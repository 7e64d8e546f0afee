"use client";

import { formatDateTime } from "./describe-time";
import { HoveredTime, useShownZone } from "./shown-time";

/**
 * `22 Nov 2026, 14:19:07` in the viewer's zone, for lists searched by date. Hover shows the full time in both zones.
 */
export function DateTime({ at }: { at: number }) {
  const zone = useShownZone();
  return (
    <HoveredTime at={at} className="text-muted">
      {formatDateTime(at, zone)}
    </HoveredTime>
  );
}
