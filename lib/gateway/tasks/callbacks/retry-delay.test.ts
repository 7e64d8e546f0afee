import { expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { retryDelayMs } from "./retry-delay";

const always = (byte: number) => (bytes: number) => new Uint8Array(bytes).fill(byte);

test("waits are the schedule's, with up to a fifth more, and end after the ninth", () => {
  const [minute, hour] = [MINUTE_MS, HOUR_MS];
  const waits = [5_000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
  const numbers = waits.map((_wait, index) => index + 1);
  expect(numbers.map((tries) => retryDelayMs(tries, always(0)))).toEqual(waits);
  for (const [index, wait] of waits.entries()) {
    const longest = retryDelayMs(index + 1, always(255)) ?? 0;
    expect(longest).toBeGreaterThan(wait * 1.19);
    expect(longest).toBeLessThanOrEqual(wait * 1.2);
  }
  expect(retryDelayMs(10, always(0))).toBeNull();
});
