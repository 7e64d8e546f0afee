"use client";

import type { ReactNode } from "react";
import { exactTime, utcTime } from "./describe-time";
import { Tooltip } from "./tooltip";
import { useIsHydrated } from "./use-is-hydrated";

type HoveredTimeProps = {
  /** Unix seconds. */
  at: number;
  className?: string;
  children: ReactNode;
};

/** A short time. Hover shows the exact time in the viewer's zone and in UTC. */
export function HoveredTime({ at, className = "", children }: HoveredTimeProps) {
  const isHydrated = useIsHydrated();
  return (
    <Tooltip
      content={
        <>
          {isHydrated && <span className="block">{exactTime(at)}</span>}
          <span className="block opacity-80">{utcTime(at)}</span>
        </>
      }
    >
      <time
        dateTime={new Date(at * 1000).toISOString()}
        className={`relative z-1 rounded-sm whitespace-nowrap ${className}`}
      >
        {children}
      </time>
    </Tooltip>
  );
}
