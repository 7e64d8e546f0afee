import { computeChange, describeChange, formatShortMoney } from "@/components/ui/values/write-figures";
import { DAY_S } from "@/lib/contract/durations";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { formatAmount, type Nano, parseCheckedAmount, toNano, ZERO } from "@/lib/money/amount";
import { listFigures } from "./list-figures";
import { startOfMonth } from "./start-of-month";

/** The spend of this month's complete days (UTC), compared with the same number of days of the previous month. */
interface MonthComparison {
  /** `≈ 120.00`. */
  readonly now: string;
  readonly before: string;
  /** `up 12 % on the first 7 days of October`. */
  readonly text: string;
  /** `up 12 % on 1–7 October`. */
  readonly brief: string;
}

/**
 * Compares this month until yesterday with the same days of the previous month, or with all of a shorter one. The
 * current day is incomplete and left out.
 * @returns null on the first day of a month, and if those days cost nothing.
 */
export function compareMonths(
  month: Pick<UsageSummary, "start_time" | "end_time" | "series">,
  before: Pick<UsageSummary, "start_time" | "series">,
): MonthComparison | null {
  const days = Math.floor((month.end_time - month.start_time) / DAY_S);
  if (days === 0) return null;
  const [now, then] = [spentIn(month, days), spentIn(before, days)];
  const change = computeChange(now, then);
  if (change === null) return null;
  const changeText = describeChange(change);
  const all = Math.round((startOfMonth(before.start_time, 1) - before.start_time) / DAY_S);
  const monthName = formatMonthName(before);
  const changed = `${changeText} ${changeText === "unchanged" ? "from" : "on"}`;
  // In March, the month before may have fewer days than this one has had.
  const first = days > all ? `all ${all} days` : days === 1 ? "the first day" : `the first ${days} days`;
  const last = Math.min(days, all);
  return {
    now: formatShortMoney(formatAmount(now)),
    before: formatShortMoney(formatAmount(then)),
    text: `${changed} ${first} of ${monthName}`,
    brief: `${changed} ${last === 1 ? "1" : `1–${last}`} ${monthName}`,
  };
}

/** Returns the name of the month that a summary begins with, in UTC. */
export function formatMonthName({ start_time }: Pick<UsageSummary, "start_time">): string {
  return new Date(start_time * 1000).toLocaleString("en", { month: "long", timeZone: "UTC" });
}

function spentIn({ series }: Pick<UsageSummary, "series">, days: number): Nano {
  return listFigures(series)
    .slice(0, days)
    .reduce((sum, { amount }) => toNano(sum + parseCheckedAmount(amount)), ZERO);
}
