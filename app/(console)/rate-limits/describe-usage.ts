import { computeCappedShare } from "@/components/rate-limits/limit-usage";
import { formatCount } from "@/components/ui/values/group-digits";
import { formatPercent } from "@/components/ui/values/percent";
import type { LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";

/** Describes a limit's usage, peaks and refusals in a sentence each. */
export function describeUsage(usage: LimitUsageEntry): string[] {
  const { max, used, peak_1_day: day, peak_7_days: week, refused_1_day, refused_7_days } = usage;
  const withShare = (value: number) => {
    const share = computeCappedShare(max, value);
    return share === null ? formatCount(value) : `${formatCount(value)} (${formatPercent(share)})`;
  };
  return [
    max === null ? `${formatCount(used)} used now` : `${formatCount(used)} of ${formatCount(max)} used now`,
    `Peak in 24 hours ${withShare(day)}, in 7 days ${withShare(week)}`,
    refused_7_days === 0
      ? "No call refused in 7 days"
      : `Refused ${formatCount(refused_1_day)} in 24 hours, ${formatCount(refused_7_days)} in 7 days`,
  ];
}
