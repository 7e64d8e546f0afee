const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const ROUNDED_UP_S = 60;
// Made once: a table has hundreds of times, and making one takes longer than formatting.
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/**
 * "3 minutes ago", "in 2 days", or "just now" within a minute. Past times are rounded down to whole units. Future times are
 * rounded to the nearest, so that just under seven days is "in 7 days". Both arguments are Unix seconds.
 */
export function describeElapsed(at: number, now: number): string {
  const seconds = at - now;
  for (const [unit, size] of units) {
    const isAhead = seconds >= size - ROUNDED_UP_S;
    if (isAhead && seconds >= ROUNDED_UP_S) return relative.format(Math.round(seconds / size), unit);
    if (-seconds >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return "just now";
}

/** The exact time in the viewer's zone, with the name of the zone. `at` in Unix seconds. */
export function formatExactTime(at: number): string {
  return exact.format(at * 1000);
}

/** `22 Nov 2026, 14:19:07` in the viewer's zone. `at` in Unix seconds. */
export function formatLocalTime(at: number): string {
  return dateTime.format(at * 1000);
}

/** The viewer's zone at a time, as it is called in short: `GMT+14`, `CET` or `UTC`. `at` in Unix seconds. */
export function zoneAt(at: number): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" }).formatToParts(at * 1000);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** `2026-03-01 09:30:00 UTC`. `at` in Unix seconds. */
export function formatUtcTime(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
