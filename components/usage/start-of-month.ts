import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { SECOND_MS } from "@/lib/contract/durations";

/** `computeMonthStartMs` in the Unix seconds of the API. */
export function startOfMonth(now: number, later = 0): number {
  return computeMonthStartMs(now * SECOND_MS, later) / SECOND_MS;
}
