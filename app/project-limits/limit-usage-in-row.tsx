"use client";

import { computeCappedShare, isNear } from "@/app/rate-limit-fields/limit-usage";
import { Tooltip } from "@/components/ui/tooltip";
import { formatCount } from "@/components/values/group-digits";
import { formatPercent } from "@/components/values/percent";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { describeUsage } from "./describe-usage";
import { LimitMeter } from "./limit-meter";
import { useLimitUsageEntry } from "./limit-usage-scope";

/** Shown below a limit in the list: its current use, and a warning if it is nearly used up. */
export function LimitUsageInRow({ model, field }: { model: string; field: RateLimitField }) {
  const use = useLimitUsageEntry(model, field);
  if (!use) return null;
  return (
    <Tooltip content={<UsageLines use={use} />}>
      <span className="relative z-1 ml-auto grid w-24 max-w-full gap-0.5">
        <LimitMeter use={use} />
        <UseWords use={use} />
      </span>
    </Tooltip>
  );
}

function UsageLines({ use }: { use: LimitUsageEntry }) {
  return describeUsage(use).map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function UseWords({ use }: { use: LimitUsageEntry }) {
  const { max, used, peak_1_day: peak, refused_1_day: refused } = use;
  const share = computeCappedShare(max, used);
  if (refused > 0) {
    return <span className="text-xs text-danger">{formatCount(refused)} refused</span>;
  }
  if (isNear(use)) {
    const reached = computeCappedShare(max, peak) ?? 0;
    return <span className="text-xs text-warning">peak {formatPercent(reached)}</span>;
  }
  return (
    <span className="text-xs text-muted">
      {share === null ? formatCount(used) : formatPercent(share)} used
    </span>
  );
}
