"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { nameZone } from "@/components/ui/time/describe-time";
import { useShownZone } from "@/components/ui/time/shown-time";
import { listSpendBuckets } from "@/components/usage/list-spend-buckets";
import { usageReads } from "@/components/usage/usage-reads";
import { DAY_S } from "@/lib/contract/durations";
import type { UsageBucket } from "@/lib/contract/operations/usage/usage-summary";
import { NANO_PER_UNIT, type Nano, parseCheckedAmount, toNano } from "@/lib/money/amount";

/**
 * Returns how long the balance lasts, also in words. Null if nothing was spent in the last week, undefined while
 * loading. `openedAt` in Unix seconds.
 */
export function useRunway(openedAt: number, enabled = true) {
  const available = useRead("retrieveBalance", undefined, { enabled }).data?.available;
  const pace = usePace(openedAt, enabled);
  const timeZone = useShownZone() === "UTC" ? "UTC" : nameZone();
  if (available === undefined || pace === undefined) return undefined;
  if (pace === null) return null;
  const runway = estimateRunway(available, pace);
  return {
    runway,
    headline: describeRunway(runway, openedAt, timeZone),
    explanation: explainRunway(runway),
  };
}

/** Returns what a day of the last week cost. Null if nothing was spent in it, undefined while loading. */
export function usePace(openedAt: number, enabled = true) {
  const week = useRead(...usageReads(openedAt).week, { enabled }).data;
  return week && measurePace(listSpendBuckets(week), openedAt);
}

const DAYS = 7;

/** What a day of the last seven cost, in whole units of the currency. */
interface Pace {
  /** Number of days that it is based on: the last seven, or fewer if the first charge is more recent. */
  readonly paceDays: number;
  readonly mean: number;
  /** Two standard errors of the daily mean. */
  readonly error: number;
}

/** How long a balance lasts at the recent rate of spending. */
interface Runway extends Pick<Pace, "paceDays"> {
  readonly days: number;
  /** `minDays` to `maxDays`: within two standard errors of the daily mean. */
  readonly minDays: number;
  readonly maxDays: number;
}

const units = (amount: string) => Number(parseCheckedAmount(amount)) / Number(NANO_PER_UNIT);

/**
 * Measures what a day costs. Floats are precise enough, since the result isn't money.
 * @param buckets hourly spend.
 * @param now Unix seconds.
 * @returns null if nothing was spent.
 */
export function measurePace(
  buckets: readonly Pick<UsageBucket, "start_time" | "amount">[],
  now: number,
): Pace | null {
  const ofDays = Array.from({ length: DAYS }, () => 0);
  for (const { start_time, amount } of buckets) {
    const day = Math.floor((now - start_time) / DAY_S);
    if (day >= 0 && day < DAYS) ofDays[day] = (ofDays[day] ?? 0) + units(amount);
  }
  const first = ofDays.findLastIndex((spent) => spent > 0);
  if (first < 0) return null;
  const known = ofDays.slice(0, first + 1);
  const mean = known.reduce((sum, spent) => sum + spent, 0) / known.length;
  const variance = known.reduce((sum, spent) => sum + (spent - mean) ** 2, 0) / known.length;
  return { paceDays: known.length, mean, error: 2 * Math.sqrt(variance / known.length) };
}

/** What a day costs, as an amount to compute with. */
export function toNanoPerDay({ mean }: Pace): Nano {
  return toNano(BigInt(Math.round(mean * Number(NANO_PER_UNIT))));
}

/** Projects how long the balance lasts. All screens that say so ask this function. */
export function estimateRunway(available: string, { paceDays, mean, error }: Pace): Runway {
  const left = Math.max(0, units(available));
  return {
    paceDays,
    days: left / mean,
    minDays: left / (mean + error),
    // Limits the upper estimate: with very uneven days it would otherwise be infinite.
    maxDays: left / Math.max(mean - error, mean / 4),
  };
}

/** Returns "Balance lasts until Thu 3 December", with the hour if it is near. `now` in Unix seconds. */
export function describeRunway({ days }: Runway, now: number, timeZone: string): string {
  if (days <= 0) return "Balance is used up";
  if (days > 365) return "Balance lasts for more than a year";
  const end = new Date((now + days * DAY_S) * 1000);
  const write = (options: Intl.DateTimeFormatOptions) =>
    end.toLocaleString("en-GB", { ...options, timeZone });
  if (days >= 2) {
    const date = write({ weekday: "short", day: "numeric", month: "long" }).replace(",", "");
    return `Balance lasts until ${date}`;
  }
  return `Balance lasts until ${write({ weekday: "short" })} ${write({ hour: "2-digit", minute: "2-digit" })}`;
}

/** Returns "At the pace of the last 7 days: 11 days, between 9 and 14." */
export function explainRunway({ paceDays, days, minDays, maxDays }: Runway): string {
  if (days <= 0) return "Calls are refused until a payment is recorded.";
  const pace = paceDays === 1 ? "the last day" : `the last ${paceDays} days`;
  if (days > 365) return `At the pace of ${pace}.`;
  if (days < 1 / 24) return `At the pace of ${pace}: less than an hour.`;
  const isShort = days < 2;
  const count = (value: number) => Math.floor(isShort ? value * 24 : value);
  const [expected, least, most] = [count(days), count(minDays), count(maxDays)];
  const unit = `${isShort ? "hour" : "day"}${expected === 1 ? "" : "s"}`;
  const range = least === most ? "" : `, between ${least} and ${most}`;
  return `At the pace of ${pace}: ${expected} ${unit}${range}.`;
}
