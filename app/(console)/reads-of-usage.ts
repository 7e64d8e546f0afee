import type { UsageDimension } from "@/lib/contract/operations/usage-summary";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** When the month of `now` began (UTC), or one so many months later, in Unix seconds. */
export function startOfMonth(now: number, later = 0): number {
  const date = new Date(now * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000;
}

/** What was used in the last day and week, by hours, and in this month (UTC), by days and projects. `now` in Unix seconds. */
export function usageReads(now: number) {
  const hour = now - (now % HOUR);
  const ofMonth = startOfMonth(now);
  const by = { hours: { bucket_width: "1h" }, days: { bucket_width: "1d", group_by: "project_id" } };
  return {
    day: ["retrieveUsageSummary", { start_time: String(hour - DAY), ...by.hours }],
    week: ["retrieveUsageSummary", { start_time: String(hour - 7 * DAY), ...by.hours }],
    month: ["retrieveUsageSummary", { start_time: String(ofMonth), ...by.days }],
    /** The month by anything else. */
    monthBy: (dimension: UsageDimension) =>
      ["retrieveUsageSummary", { start_time: String(ofMonth), ...by.days, group_by: dimension }] as const,
    /** The whole month before, by days. */
    monthBefore: [
      "retrieveUsageSummary",
      {
        start_time: String(startOfMonth(now, -1)),
        end_time: String(ofMonth),
        bucket_width: "1d",
      },
    ],
  } as const;
}
