"use client";

import type { ReactNode } from "react";
import { useIsHydrated } from "@/components/ui/browser/use-is-painted";
import { findOrganizationZone } from "@/components/ui/organization-look";
import { Tooltip } from "@/components/ui/tooltip";
import type { Zone } from "./describe-time";
import { describeElapsed, formatExactTime, formatUtcTime, zoneAt } from "./describe-time";
import { nowSeconds } from "./server-clock";
import { useNow } from "./use-now";

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

/**
 * The zone to write times in: the organization's if it has one. Otherwise UTC on the server and while the browser takes
 * over its page, then the viewer's.
 */
export function useShownZone(): Zone {
  const isHydrated = useIsHydrated();
  return isHydrated || findOrganizationZone() !== null ? "viewer" : "UTC";
}
