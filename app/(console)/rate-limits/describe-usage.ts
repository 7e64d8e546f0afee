import { computeCappedShare } from "@/app/rate-limit-fields/limit-usage";
import { groupDigits } from "@/components/ui/group-digits";
import { formatPercent } from "@/components/ui/percent";
import type { LimitUsageEntry } from "@/lib/contract/operations/limit-usage";

const count = (value: number) => groupDigits(String(value));

/** Describes a limit's use, peaks and refusals in a sentence each. */
export function describeUsage(use: LimitUsageEntry): string[] {
  const { max, used, peak_1_day: day, peak_7_days: week, refused_1_day, refused_7_days } = use;
  const of = (value: number) => {
    const share = computeCappedShare(max, value);
    return share === null ? count(value) : `${count(value)} (${formatPercent(share)})`;
  };
  return [
    max === null ? `${count(used)} used now` : `${count(used)} of ${count(max)} used now`,
    `Peak in 24 hours ${of(day)}, in 7 days ${of(week)}`,
    refused_7_days === 0
      ? "No call refused in 7 days"
      : `Refused ${count(refused_1_day)} in 24 hours, ${count(refused_7_days)} in 7 days`,
  ];
}
