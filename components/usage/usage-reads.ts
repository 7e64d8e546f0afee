import { ranges } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import type { UsageDimension } from "@/lib/contract/operations/usage/usage-summary";
import { startOfMonth } from "./start-of-month";

/** The dimensions by which the balance's screen breaks down a month's spend. */
export const spendDimensions = [
  "project_id",
  "model",
  "api_key_id",
  "user_id",
] as const satisfies UsageDimension[];
export type SpendDimension = (typeof spendDimensions)[number];

/** The ranges that the overview's figures can cover. Its address has no `range` for the first. */
export const overviewRanges = ["24h", "7d", "30d"] as const;
export type OverviewRange = (typeof overviewRanges)[number];

export function parseOverviewRange(text: string): OverviewRange {
  return overviewRanges.find((range) => range === text) ?? overviewRanges[0];
}

/** What the overview's chart of spend can be grouped by. Its address has no `by` for the first. */
export const spendGroupings = ["project_id", "model"] as const satisfies UsageDimension[];
export type SpendGrouping = (typeof spendGroupings)[number];

export function parseSpendGrouping(text: string): SpendGrouping {
  return spendGroupings.find((grouping) => grouping === text) ?? spendGroupings[0];
}

/**
 * Returns the read of a range that ends now, in whole hours or days. Only its totals have latencies. `now` in Unix
 * seconds.
 */
export function recentUsageRead(range: OverviewRange, now: number) {
  const width = range === "30d" ? DAY_S : HOUR_S;
  const start = now - (now % width) - ranges[range].seconds;
  return [
    "retrieveUsageSummary",
    {
      start_time: String(start),
      bucket_width: range === "30d" ? "1d" : "1h",
      latencies: "totals",
      series: "requests,refusals",
      previous: "false",
    },
  ] as const;
}

/**
 * Returns reads of the last week's spend by hour, and of this month's spend (UTC) by day and group. `now` in Unix
 * seconds.
 */
export function usageReads(now: number) {
  const hour = now - (now % HOUR_S);
  const ofMonth = startOfMonth(now);
  const spent = { latencies: "none", series: "amount", previous: "false" };
  const monthByDay = (grouping: SpendGrouping) =>
    [
      "retrieveUsageSummary",
      { start_time: String(ofMonth), bucket_width: "1d", group_by: grouping, ...spent },
    ] as const;
  const month = monthByDay("project_id");
  return {
    week: ["retrieveUsageSummary", { start_time: String(hour - 7 * DAY_S), bucket_width: "1h", ...spent }],
    month,
    monthByDay,
    /** This month by a dimension, without its days unless `month` has them. */
    monthBy: (dimension: UsageDimension): readonly ["retrieveUsageSummary", ReadParameters] =>
      dimension === "project_id"
        ? month
        : [
            "retrieveUsageSummary",
            { start_time: String(ofMonth), bucket_width: "range", group_by: dimension, ...spent },
          ],
    /** The whole previous month by day. */
    monthBefore: [
      "retrieveUsageSummary",
      {
        start_time: String(startOfMonth(now, -1)),
        end_time: String(ofMonth),
        bucket_width: "1d",
        ...spent,
      },
    ],
  } as const;
}
