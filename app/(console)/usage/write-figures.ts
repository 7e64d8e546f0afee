import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import { amountOf, formatAmount, NANO_PER_UNIT, type Nano, toNano } from "@/lib/money/amount";
import { divideRounded } from "@/lib/money/rounding";

const CENT = NANO_PER_UNIT / 100n;

/** An amount to cents, or as it is where it is less than one; `≈` where that rounds it. */
export function shortMoney(amount: string): string {
  return shortAmount(amountOf(amount));
}

/** The same of an amount that may be larger than any on the wire. */
export function shortAmount(exact: Nano): string {
  const size = exact < 0n ? -exact : exact;
  if (size < CENT) return groupDigits(trimDecimal(formatAmount(exact)));
  const rounded = toNano(divideRounded(exact, CENT) * CENT);
  return `${rounded === exact ? "" : "≈ "}${groupDigits(trimDecimal(formatAmount(rounded)))}`;
}

/** `38 ms`, `2.4 s`, `1 min 20 s`; from figures that are a sixteenth off at most. */
export function roundedDuration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_500) return `${ms < 9_950 ? Number((ms / 1_000).toFixed(1)) : Math.round(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How much more something is than before, in thousandths; null where there was nothing. */
export function changeOf(now: bigint, before: bigint): number | null {
  return before === 0n ? null : Number(((now - before) * 1_000n) / before);
}

/** `up 12 %`, `down 4 %`, `unchanged`. */
export function describeChange(thousandths: number): string {
  const percent = Math.round(Math.abs(thousandths) / 10);
  if (percent === 0) return "unchanged";
  return `${thousandths > 0 ? "up" : "down"} ${groupDigits(String(percent))} %`;
}

/** `up 12 % on the 7 days before`. */
export function describeComparison(thousandths: number, length: string): string {
  const change = describeChange(thousandths);
  return `${change} ${change === "unchanged" ? "from" : "on"} the ${length} before`;
}

/** `7 days`, `24 hours`, `15 minutes`. */
export function describeLength(seconds: number): string {
  const [size, unit] =
    seconds >= 172_800 ? [86_400, "day"] : seconds >= 7_200 ? [3_600, "hour"] : [60, "minute"];
  // A range that ends now begins with a whole bucket: it is a little longer.
  const number = Math.max(1, Math.floor(seconds / size));
  return number === 1 ? unit : `${number} ${unit}s`;
}
