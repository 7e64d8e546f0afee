import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { DAY_S, MINUTE_S, SECOND_MS } from "@/lib/contract/durations";
import type { UsageBucket, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { listBucketTimes } from "./build-series";
import { listFigures } from "./list-figures";

/** Returns the time 30 days ago in Unix seconds, rounded to a minute. */
export function thirtyDaysBefore(now: number): number {
  return roundToMinute(now) - 30 * DAY_S;
}

/** The start of the calendar month (UTC), one day ago and 30 days ago, in Unix seconds. */
export type PeriodStarts = { readonly month: number; readonly day: number; readonly thirtyDays: number };

/** `now` in Unix seconds. */
export function computePeriodStarts(now: number): PeriodStarts {
  return {
    month: startOfMonth(now),
    day: roundToMinute(now) - DAY_S,
    thirtyDays: thirtyDaysBefore(now),
  };
}

/** A reopened page can use its cache within the minute. */
function roundToMinute(seconds: number): number {
  return seconds - (seconds % MINUTE_S);
}

/** `computeMonthStartMs` in the Unix seconds of the API. */
export function startOfMonth(now: number, later = 0): number {
  return computeMonthStartMs(now * SECOND_MS, later) / SECOND_MS;
}

/** Returns the spend of each bucket with the time at which it begins, oldest first. */
export function listSpendBuckets(summary: UsageSummary): Pick<UsageBucket, "start_time" | "amount">[] {
  const times = listBucketTimes(summary);
  return listFigures(summary.series).map(({ amount }, index) => ({
    start_time: times[index] ?? summary.end_time,
    amount,
  }));
}
