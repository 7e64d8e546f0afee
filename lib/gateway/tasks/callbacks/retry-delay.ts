import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/contract/durations";

/** The delays after the first failed try, the second, and so on: 75 hours in all. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Spreads retries, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** No message waits longer for its next try. An hour more than the last delay can be, since clocks are corrected. */
export const LONGEST_WAIT_MS = 30 * HOUR_MS;

/** How long to wait after the failed try number `tries`; null after the last one. */
export function retryDelayMs(tries: number, random: (bytes: number) => Uint8Array): number | null {
  const delay = DELAYS_MS[tries - 1];
  if (delay === undefined) return null;
  const [high = 0, low = 0] = random(2);
  return Math.round(delay * (1 + (JITTER * (high * 256 + low)) / 65_536));
}
