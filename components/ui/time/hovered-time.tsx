"use client";

import type { ReactNode } from "react";
import { Tooltip } from "../tooltip";
import { formatExactTime, formatUtcTime } from "./describe-time";

type HoveredTimeProps = {
  /** Unix seconds. */
  at: number;
  className?: string;
  children: ReactNode;
};

/** A short time. Hover shows the exact time in the viewer's zone and in UTC. */
export function HoveredTime({ at, className = "", children }: HoveredTimeProps) {
  return (
    <Tooltip content={<BothZones at={at} />}>
      <time
        dateTime={new Date(at * 1000).toISOString()}
        className={`relative z-1 rounded-sm whitespace-nowrap ${className}`}
      >
        {children}
      </time>
    </Tooltip>
  );
}

function BothZones({ at }: { at: number }) {
  return (
    <>
      <span className="block">{formatExactTime(at)}</span>
      <span className="block opacity-80">{formatUtcTime(at)}</span>
    </>
  );
}
