"use client";

import { formatLocalTime, formatUtcTime } from "./describe-time";
import { HoveredTime } from "./hovered-time";
import { useIsHydrated } from "./use-is-hydrated";

/** `22 Nov 2026, 14:19:07` in the viewer's zone, for lists searched by date. Hover shows the full time in both zones. */
export function DateTime({ at }: { at: number }) {
  // The server doesn't know the viewer's zone: it renders UTC, which the browser then replaces.
  const words = useIsHydrated() ? formatLocalTime(at) : formatUtcTime(at).slice(0, 19);
  return (
    <HoveredTime at={at} className="text-muted">
      {words}
    </HoveredTime>
  );
}
