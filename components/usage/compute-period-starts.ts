import { DAY_S, MINUTE_S } from "@/lib/contract/durations";
import { startOfMonth } from "./start-of-month";

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
