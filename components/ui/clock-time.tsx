"use client";

import { useSyncExternalStore } from "react";
import { exactTime, utcTime } from "./describe-time";
import { Tooltip } from "./tooltip";

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
    <Tooltip
      content={
        <>
          <span className="block">{exactTime(at)}</span>
          <span className="block opacity-80">{utcTime(at)}</span>
        </>
      }
    >
      <time
        dateTime={new Date(at * 1000).toISOString()}
        className="relative z-1 rounded-sm font-mono text-sm font-normal whitespace-nowrap text-muted"
      >
        {words}
      </time>
    </Tooltip>
  );
}

function localTime(at: number, toMinute: boolean): string {
  const date = new Date(at * 1000);
  const time = date.toLocaleTimeString("en-GB", { timeStyle: toMinute ? "short" : "medium" });
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short" })} ${time}`;
}
