const DAY_S = 86_400;

/** Returns the time 30 days ago in Unix seconds, rounded to a minute so that a reopened page can use its cache. */
export function thirtyDaysBefore(now: number): number {
  return now - (now % 60) - 30 * DAY_S;
}

/** The start of the calendar month (UTC), one day ago and 30 days ago, in Unix seconds. */
export type PeriodStarts = { readonly month: number; readonly day: number; readonly thirtyDays: number };

/** `now` in Unix seconds. */
export function computePeriodStarts(now: number): PeriodStarts {
  const day = new Date(now * 1000);
  return {
    month: Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) / 1000,
    // Rounded to a minute, so that a reopened page can use its cache.
    day: Math.floor(now / 60) * 60 - 86_400,
    thirtyDays: thirtyDaysBefore(now),
  };
}
