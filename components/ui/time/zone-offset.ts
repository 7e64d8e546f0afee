import { DAY_S, MINUTE_S } from "@/lib/contract/durations";
import { findOrganizationZone } from "../organization-look";

const formats = new Map<string, Intl.DateTimeFormat>();

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
