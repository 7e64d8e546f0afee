import { offsetSeconds, zoneAt } from "@/components/ui/time/describe-time";
import { DAY_S, HOUR_S } from "@/lib/contract/durations";
import { findOrganizationZone } from "../organization-look";

/**
 * Formats a bucket's start in the viewer's zone. Includes the day if buckets are an hour or longer. Buckets of days are
 * days in UTC, and are named by it: in the viewer's zone each would begin in the middle of a day.
 */
export function formatBucketStart(at: number, seconds: number): string {
  const day = { day: "numeric", month: "short" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const format =
    seconds >= DAY_S ? { ...day, timeZone: "UTC" } : seconds >= HOUR_S ? { ...day, ...time } : time;
  const timeZone = findOrganizationZone();
  return new Date(at * 1000).toLocaleString("en-GB", { ...(timeZone && { timeZone }), ...format });
}

/** Formats a bucket's start, with its zone if a clock that is set back shows that time twice. */
export function formatTimeLabel(at: number, seconds: number): string {
  const label = formatBucketStart(at, seconds);
  return seconds < DAY_S && isShownTwice(at) ? `${label} ${zoneAt(at)}` : label;
}

function isShownTwice(at: number): boolean {
  const offset = (time: number) => -offsetSeconds(time);
  // Clocks are set back by an hour, on Lord Howe Island by half of one.
  return [HOUR_S / 2, HOUR_S].some(
    (step) => offset(at + step) - offset(at) === step || offset(at) - offset(at - step) === step,
  );
}

/** Names the zone in which buckets of this width are labeled: `UTC` or `GMT-10`. */
export function findLabelZone(at: number, seconds: number): string {
  return seconds >= DAY_S ? "UTC" : zoneAt(at);
}

/**
 * Labels the times of a table. Its head names their zone; where the clock changes between the first and the last, each
 * label does, since an hour may be there twice.
 */
export function labelTableTimes(
  times: readonly number[],
  seconds: number,
): { head: string; label: (at: number) => string } {
  const zone = findLabelZone(times[0] ?? 0, seconds);
  if (zone === findLabelZone(times.at(-1) ?? 0, seconds))
    return { head: `From, ${zone}`, label: (at) => formatBucketStart(at, seconds) };
  return { head: "From", label: (at) => `${formatBucketStart(at, seconds)} ${findLabelZone(at, seconds)}` };
}
