"use client";

import { useState } from "react";
import { useShownZone } from "@/components/ui/time/shown-time";
import { Button } from "../button";
import { loadOnClient } from "../dialog/load-on-client";
import { findOrganizationZone } from "../organization-look";
import { zoneAt } from "../time/describe-time";
import { isRange, isSeconds, type RangeChoice, ranges } from "./time-range";
import { changeAddress, useUrlParameter } from "./use-address-filter";

const RangeDialog = loadOnClient(() => import("./range-dialog").then((file) => file.RangeDialog));

const OWN = "own";

/**
 * Filters by time: a range that ends now, a custom range, or all time. `defaultRange` is the default and left out of
 * the address.
 */
export function RangeFilter({
  defaultRange,
  hasAll = true,
}: {
  defaultRange: RangeChoice;
  hasAll?: boolean;
}) {
  const [range] = useUrlParameter("range");
  const [from, to] = [useSeconds("from"), useSeconds("to")];
  const [isOpen, setIsOpen] = useState(false);
  const isOwn = from !== "" || to !== "";
  // The server doesn't know the viewer's zone: it renders UTC, which the browser then replaces.
  const timeZone = useShownZone() === "UTC" ? "UTC" : (findOrganizationZone() ?? undefined);
  const choose = (value: string) => {
    if (value === OWN) setIsOpen(true);
    else changeAddress({ range: value === defaultRange ? undefined : value, from: undefined, to: undefined });
  };
  return (
    <>
      <select
        aria-label="Time"
        className="field h-8 w-auto max-w-72 pointer-coarse:h-11"
        value={isOwn ? OWN : isRange(range) ? range : defaultRange}
        onChange={(event) => choose(event.target.value)}
      >
        {Object.entries(ranges).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {hasAll && <option value="all">All time</option>}
        <option value={OWN}>{isOwn ? describeRange(from, to, timeZone) : "Choose a range…"}</option>
      </select>
      {isOwn && <Button onClick={() => setIsOpen(true)}>Change</Button>}
      {isOpen && <RangeDialog from={from} to={to} close={() => setIsOpen(false)} />}
    </>
  );
}

/** A time from the address in Unix seconds; "" if it is absent or invalid, which doesn't filter either. */
function useSeconds(parameter: string): string {
  const [text] = useUrlParameter(parameter);
  return isSeconds(text) ? text : "";
}

function describeRange(from: string, to: string, timeZone?: string): string {
  const format = (seconds: string) =>
    new Date(Number(seconds) * 1000).toLocaleString("en-GB", {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone,
    });
  const zone = timeZone === "UTC" ? timeZone : zoneAt(Number(to || from));
  if (to === "") return `Since ${format(from)} ${zone}`;
  return from === "" ? `Until ${format(to)} ${zone}` : `${format(from)} – ${format(to)} ${zone}`;
}
