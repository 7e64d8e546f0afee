"use client";

import { useSyncExternalStore } from "react";
import { describeElapsed, exactTime, utcTime } from "./describe-time";
import { Tooltip } from "./tooltip";

const TICK_MS = 30_000;

function everyTick(listener: () => void) {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}
const now = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** "3 minutes ago"; the exact time in the viewer's zone and in UTC on hover or focus. `at` is in Unix seconds. */
export function RelativeTime({ at }: { at: number }) {
  // The server knows neither the viewer's clock nor zone: it writes UTC, which the browser then replaces.
  const tick = useSyncExternalStore(everyTick, now, () => undefined);
  if (tick === undefined) return <time dateTime={new Date(at * 1000).toISOString()}>{utcTime(at)}</time>;
  return (
    <Tooltip
      content={
        <>
          <span className="block">{exactTime(at)}</span>
          <span className="block opacity-80">{utcTime(at)}</span>
        </>
      }
    >
      <time
        tabIndex={0}
        dateTime={new Date(at * 1000).toISOString()}
        className="relative z-1 rounded-sm whitespace-nowrap"
      >
        {describeElapsed(at, tick / 1000)}
      </time>
    </Tooltip>
  );
}
