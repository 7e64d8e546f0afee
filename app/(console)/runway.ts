import type { UsageBucket } from "@/lib/contract/operations/usage-summary";
import { amountOf, NANO_PER_UNIT } from "@/lib/money/amount";

const DAY = 86_400;
const DAYS = 7;

/** How long a balance lasts if money goes on being spent as it was. */
export interface Runway {
  /** How many days of spending it is told from: the last seven, or those since the first charge. */
  readonly paceDays: number;
  readonly days: number;
  /** Within two standard errors of the daily mean. */
  readonly leastDays: number;
  readonly mostDays: number;
}

/**
 * A projection of time, which floats are good enough for: no amount of money comes out of it.
 * @param buckets what was spent, by hours; `now` in Unix seconds.
 * @returns null where nothing was spent.
 */
export function runwayOf(
  available: string,
  buckets: readonly Pick<UsageBucket, "start_time" | "amount">[],
  now: number,
): Runway | null {
  const units = (amount: string) => Number(amountOf(amount)) / Number(NANO_PER_UNIT);
  const ofDays = Array.from({ length: DAYS }, () => 0);
  for (const { start_time, amount } of buckets) {
    const day = Math.floor((now - start_time) / DAY);
    if (day >= 0 && day < DAYS) ofDays[day] = (ofDays[day] ?? 0) + units(amount);
  }
  const first = ofDays.findLastIndex((spent) => spent > 0);
  if (first < 0) return null;
  const known = ofDays.slice(0, first + 1);
  const mean = known.reduce((sum, spent) => sum + spent, 0) / known.length;
  const variance = known.reduce((sum, spent) => sum + (spent - mean) ** 2, 0) / known.length;
  const error = 2 * Math.sqrt(variance / known.length);
  const left = Math.max(0, units(available));
  return {
    paceDays: known.length,
    days: left / mean,
    leastDays: left / (mean + error),
    // However uneven days were, a slower pace than a quarter of the mean is not told from them.
    mostDays: left / Math.max(mean - error, mean / 4),
  };
}

/** "Balance lasts until Thu 3 December"; the hour where it is near. `now` in Unix seconds. */
export function describeRunway({ days }: Runway, now: number, timeZone: string): string {
  if (days > 365) return "Balance lasts for more than a year";
  const end = new Date((now + days * DAY) * 1000);
  const write = (options: Intl.DateTimeFormatOptions) =>
    end.toLocaleString("en-GB", { ...options, timeZone });
  if (days >= 2) {
    const date = write({ weekday: "short", day: "numeric", month: "long" }).replace(",", "");
    return `Balance lasts until ${date}`;
  }
  return `Balance lasts until ${write({ weekday: "short" })} ${write({ hour: "2-digit", minute: "2-digit" })}`;
}

/** "At the pace of the last 7 days: 11 days, between 9 and 14." */
export function explainRunway({ paceDays, days, leastDays, mostDays }: Runway): string {
  const pace = paceDays === 1 ? "the last day" : `the last ${paceDays} days`;
  if (days > 365) return `At the pace of ${pace}.`;
  const isShort = days < 2;
  const count = (value: number) => String(Math.floor(isShort ? value * 24 : value));
  const unit = isShort ? "hours" : "days";
  const [least, most] = [count(leastDays), count(mostDays)];
  const range = least === most ? "" : `, between ${least} and ${most}`;
  return `At the pace of ${pace}: ${count(days)} ${unit}${range}.`;
}
