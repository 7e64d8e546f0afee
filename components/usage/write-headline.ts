import { computeChange, describeComparison, describeLength } from "@/components/ui/values/write-figures";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { labelGroup } from "./build-series";
import { compareMonths, formatMonthName } from "./compare-months";
import { compareMetric, type MetricName, sizes } from "./metrics";

const subjects: Record<MetricName, { readonly name: string; readonly verb: "is" | "are" }> = {
  spend: { name: "Spend", verb: "is" },
  requests: { name: "Requests", verb: "are" },
  tokens: { name: "Tokens", verb: "are" },
  failures: { name: "Errors and refusals", verb: "are" },
  latency: { name: "Latency", verb: "is" },
};

/** Summarizes a chart in a sentence: "Spend is up 12 % on the 7 days before, 52 % of it by Support bot". */
export function writeHeadline(summary: UsageSummary, name: MetricName): string {
  const { name: subject, verb } = subjects[name];
  const length = describeLength(summary.end_time - summary.start_time);
  const change = compareMetric(name, summary);
  const first =
    change === null
      ? `${subject} of the last ${length}`
      : `${subject} ${verb} ${describeComparison(change, length)}`;
  const most = findLargest(summary, name, 50);
  return most ? `${first}, ${most.percent} % of it by ${most.name}` : first;
}

/**
 * Names the group that spent most of this month: "Support bot makes up 52 % of November’s spend". With one group alone,
 * compares the same whole days of the month before.
 */
export function writeMonthHeadline(month: UsageSummary, before: UsageSummary | undefined): string {
  const most = findLargest(month, "spend", 0);
  if (most && most.percent > 0)
    return `${most.name} makes up ${most.percent} % of ${formatMonthName(month)}’s spend`;
  const comparison = before && compareMonths(month, before);
  return comparison ? `Spend until yesterday is ${comparison.text}` : "Spend of this month";
}

/** Returns the largest of several groups if it makes up at least `percent`. */
function findLargest(
  { groups, totals, group_by: grouping }: UsageSummary,
  name: MetricName,
  percent: number,
): { name: string; percent: number } | null {
  const [largest] = groups;
  if (!largest || groups.length < 2 || grouping === null || name === "latency") return null;
  const share = computeChange(sizes[name](largest.totals), sizes[name](totals));
  if (share === null || share < percent * 10 - 1_000) return null;
  return { name: labelGroup(grouping, largest), percent: Math.round((1_000 + share) / 10) };
}
