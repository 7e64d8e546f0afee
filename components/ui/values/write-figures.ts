import { DAY_S, HOUR_S, MINUTE_S } from "@/lib/contract/durations";
import {
  divideRounded,
  formatAmount,
  NANO_PER_CENT,
  type Nano,
  parseCheckedAmount,
  toNano,
} from "@/lib/money/amount";
import { formatCount, formatDecimal, trimDecimal } from "./group-digits";

/** Rounds an amount to cents, with `≈` if that changes it. Amounts below a cent stay exact. */
export function formatShortMoney(amount: string): string {
  return formatShortAmount(parseCheckedAmount(amount));
}

/** The same for an amount that may exceed the API's maximum. */
export function formatShortAmount(exact: Nano): string {
  const rounded = roundToCents(exact);
  return `${rounded === exact ? "" : "≈ "}${formatDecimal(formatAmount(rounded))}`;
}

/** The decimal that `formatShortAmount` shows, for aligning a column on its decimal point. */
export function formatShortDecimal(exact: Nano): string {
  return trimDecimal(formatAmount(roundToCents(exact)));
}

/** Rounds to cents; amounts below a cent stay exact. */
export function roundToCents(exact: Nano): Nano {
  const size = exact < 0n ? -exact : exact;
  if (size < NANO_PER_CENT) return exact;
  return toNano(divideRounded(exact, NANO_PER_CENT) * NANO_PER_CENT);
}

/** Formats `38 ms`, `2.4 s`, `1 min 20 s`. The underlying figures are accurate to a sixteenth. */
export function formatRoundedDuration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_500) return `${ms < 9_950 ? Number((ms / 1_000).toFixed(1)) : Math.round(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the change in thousandths; null if `before` is zero. */
export function computeChange(now: bigint, before: bigint): number | null {
  return before === 0n ? null : Number(((now - before) * 1_000n) / before);
}

/** Returns `up 12 %`, `down 4 %` or `unchanged`. */
export function describeChange(thousandths: number): string {
  const percent = Math.round(Math.abs(thousandths) / 10);
  if (percent === 0) return "unchanged";
  return `${thousandths > 0 ? "up" : "down"} ${formatCount(percent)} %`;
}

/** Returns text such as `up 12 % on the 7 days before`. */
export function describeComparison(thousandths: number, length: string): string {
  const change = describeChange(thousandths);
  return `${change === "unchanged" ? "the same as" : `${change} on`} the ${length} before`;
}

/** Returns text such as `7 days`, `24 hours`, `15 minutes`. */
export function describeLength(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * DAY_S ? [DAY_S, "day"] : seconds >= 2 * HOUR_S ? [HOUR_S, "hour"] : [MINUTE_S, "minute"];
  // Round down, since a range that ends now starts with a whole bucket and is slightly longer.
  const number = Math.max(1, Math.floor(seconds / size));
  return number === 1 ? unit : `${number} ${unit}s`;
}
