import { setTimeout } from "node:timers/promises";
import type { ClockAndRandom, Timers } from "../clock";

const POOL_BYTES = 4_096;

let pool = new Uint8Array(0);
let usedBytes = 0;

/** Every call needs a few random bytes. They are drawn in blocks, and each byte is given out once. */
function takeRandom(bytes: number): Uint8Array {
  if (bytes > POOL_BYTES) return crypto.getRandomValues(new Uint8Array(bytes));
  if (usedBytes + bytes > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
    usedBytes = 0;
  }
  usedBytes += bytes;
  return pool.slice(usedBytes - bytes, usedBytes);
}

/** The machine's own clock and randomness. */
export const machineRuntime: ClockAndRandom = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
  random: takeRandom,
};

/** The machine's own timers. */
export const machineTimers: Timers = {
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
  every(ms, act) {
    const timer = setInterval(act, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
