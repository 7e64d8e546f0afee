import { findOrganizationZone } from "@/components/ui/organization-look";
import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * DAY_S],
  ["month", 30 * DAY_S],
  ["day", DAY_S],
  ["hour", HOUR_S],
  ["minute", MINUTE_S],
];
const ROUNDED_UP_S = 60;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/**
 * "3 minutes ago", "in 2 days", or "just now" within a minute. Past times are rounded down to whole units. Future times
 * are rounded to the nearest, so that just under seven days is "in 7 days". Both arguments are Unix seconds.
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

/** The organization's zone, else the browser's; UTC on the server if it knows neither. */
export type Zone = "viewer" | "UTC";

const styles = {
  exact: { dateStyle: "medium", timeStyle: "long" },
  dateTime: { dateStyle: "medium", timeStyle: "medium" },
  dateMinute: { dateStyle: "medium", timeStyle: "short" },
  date: { dateStyle: "medium" },
  seconds: { timeStyle: "medium" },
  minutes: { timeStyle: "short" },
  day: { day: "numeric", month: "short" },
  weekday: { weekday: "short", day: "numeric", month: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: a table has hundreds of times, and making a format takes longer than formatting. */
function formatIn(style: keyof typeof styles, zone: Zone): Intl.DateTimeFormat {
  const timeZone = zone === "UTC" ? "UTC" : (findOrganizationZone() ?? undefined);
  const key = `${style} ${timeZone}`;
  const found = formats.get(key);
  if (found) return found;
  const made = new Intl.DateTimeFormat("en-GB", { ...styles[style], ...(timeZone && { timeZone }) });
  formats.set(key, made);
  return made;
}

/** `22 Nov 2026, 14:19:07 CET`. `at` in Unix seconds. */
export function formatExactTime(at: number, zone: Zone = "viewer"): string {
  return formatIn("exact", zone).format(at * 1000);
}

/** `Sun 22 Nov`. `at` in Unix seconds. */
export function formatDay(at: number, zone: Zone = "viewer"): string {
  return formatIn("weekday", zone)
    .format(at * 1000)
    .replace(",", "");
}

/** `22 Nov 2026, 14:19:07`. `at` in Unix seconds. */
export function formatDateTime(at: number, zone: Zone = "viewer"): string {
  return formatIn("dateTime", zone).format(at * 1000);
}

/**
 * `14:19:07`, or `14:19` to the minute, preceded by the day unless it is today: `22 Nov 14:19`. Both times in Unix
 * seconds.
 */
export function formatClock(at: number, now: number, zone: Zone, to: "seconds" | "minutes"): string {
  const time = formatIn(to, zone).format(at * 1000);
  if (nameDate(at, zone) === nameDate(now, zone)) return time;
  return `${formatIn("day", zone).format(at * 1000)} ${time}`;
}

function nameDate(at: number, zone: Zone): string {
  const local = zone === "UTC" ? at : at + offsetSeconds(at);
  return new Date(local * 1000).toISOString().slice(0, 10);
}

/** The viewer's zone at a time, as it is called in short: `GMT+14`, `CET` or `UTC`. `at` in Unix seconds. */
export function zoneAt(at: number): string {
  const timeZone = findOrganizationZone() ?? undefined;
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZoneName: "short",
    ...(timeZone && { timeZone }),
  }).formatToParts(at * 1000);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** `1 Mar 2026, 09:30:00 UTC`. `at` in Unix seconds. */
export function formatUtcTime(at: number): string {
  return `${formatDateTime(at, "UTC")} UTC`;
}

/** `1 Mar 2026, 09:30`, in UTC, where a head says so. `at` in Unix seconds. */
export function formatUtcMinute(at: number): string {
  return formatIn("dateMinute", "UTC").format(at * 1000);
}

/** `1 Mar 2026`, of the day in UTC. `at` in Unix seconds. */
export function formatUtcDay(at: number): string {
  return formatIn("date", "UTC").format(at * 1000);
}

/** `2026-03-01 09:30:00 UTC`, for files. `at` in Unix seconds. */
export function formatIsoTime(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  formats.set(timeZone, made);
  return made;
}

/** Returns how far the shown zone is ahead of UTC at a time, in seconds. `at` in Unix seconds. */
export function offsetSeconds(at: number): number {
  const zone = findOrganizationZone();
  if (zone === null) return -new Date(at * 1000).getTimezoneOffset() * MINUTE_S;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Math.round(Date.UTC(year, month - 1, day, hour, minute, second) / 1000) - Math.floor(at);
}

/** Returns the Unix seconds at which clocks of the shown zone show a time, given as if it were UTC. */
export function fromLocalSeconds(local: number): number {
  // The offset of a day before is that of the clock before it was set: it is right unless the clock was set meanwhile.
  const guess = local - offsetSeconds(local - DAY_S);
  const again = local - offsetSeconds(guess);
  return again + offsetSeconds(again) === local ? again : guess;
}

/** Formats Unix seconds for `datetime-local`, in the shown zone. */
export function toLocalInput(at: number): string {
  return new Date((at + offsetSeconds(at)) * 1000).toISOString().slice(0, 19);
}

/** Returns the Unix seconds of what a `datetime-local` holds; NaN for nothing. */
export function fromLocalInput(local: string): number {
  return fromLocalSeconds(Math.floor(Date.parse(`${local}Z`) / 1000));
}

/** Returns the name of the shown zone: "Europe/Berlin". */
export function nameZone(): string {
  return findOrganizationZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
