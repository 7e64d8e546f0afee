import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";

/**
 * A stretch of time, Unix milliseconds, `toMs` exclusive, and the sums that tell it; null if the calls do, one by one.
 */
export interface UsageSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly sumWidthMs: number | null;
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether no call is later, so that the sum in which the range ends has no calls beyond it. */
  readonly isUntilNow?: boolean | undefined;
}

/**
 * Cuts a stretch into as few spans as there can be: days in its middle, hours and minutes at its ends, and what no sum
 * fits. None is wider than `widthMs`, so that each sum belongs to one bucket.
 */
export function cutIntoSpans(range: Range, widthMs: number, minutesFromMs: number): UsageSpan[] {
  const cutRange = ({ fromMs, toMs }: Range, widths: readonly number[]): UsageSpan[] => {
    if (fromMs >= toMs) return [];
    const [width, ...narrower] = widths;
    if (width === undefined) return [{ fromMs, toMs, sumWidthMs: null }];
    const min = width === MINUTE_MS ? Math.max(fromMs, minutesFromMs) : fromMs;
    const start = Math.ceil(min / width) * width;
    // Ends of parts within the range are multiples of all narrower widths.
    const end = (range.isUntilNow ? Math.ceil(toMs / width) : Math.floor(toMs / width)) * width;
    if (start >= end) return cutRange({ fromMs, toMs }, narrower);
    return [
      ...cutRange({ fromMs, toMs: start }, narrower),
      { fromMs: start, toMs: end, sumWidthMs: width },
      ...cutRange({ fromMs: end, toMs }, narrower),
    ];
  };
  return cutRange(
    range,
    [DAY_MS, HOUR_MS, MINUTE_MS].filter((width) => width <= widthMs),
  );
}
