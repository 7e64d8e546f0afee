"use client";

import { computeCappedShare, isNear } from "@/components/rate-limits/limit-usage";
import { Tooltip } from "@/components/ui/tooltip";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import type { RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";
import { describeUsage } from "./describe-usage";
import { LimitMeter } from "./limit-meter";
import { useLimitUsageEntry } from "./limit-usage-scope";

/** Shown below a limit in the list: its current usage, and a warning if it is nearly used up. */
export function LimitUsageInRow({ model, field }: { model: string; field: RateLimitField }) {
  const usage = useLimitUsageEntry(model, field);
  if (!usage) return null;
  return (
    <Tooltip content={<UsageLines usage={usage} />}>
      <span className="relative z-1 ml-auto grid w-24 max-w-full gap-0.5">
        <LimitMeter usage={usage} />
        <UsageWords usage={usage} />
      </span>
    </Tooltip>
  );
}

function UsageLines({ usage }: { usage: LimitUsageEntry }) {
  return describeUsage(usage).map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function UsageWords({ usage }: { usage: LimitUsageEntry }) {
  const { max, used, peak_1_day: peak, refused_1_day: refused } = usage;
  const share = computeCappedShare(max, used);
  if (refused > 0) {
    return <span className="text-xs text-danger">{formatCount(refused)} refused</span>;
  }
  if (isNear(usage)) {
    const reached = computeCappedShare(max, peak) ?? 0;
    return <span className="text-xs text-warning">peak {formatPercent(reached)}</span>;
  }
  return (
    <span className="text-xs text-muted">
      {share === null ? formatCount(used) : formatPercent(share)} used
    </span>
  );
}
