import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { DAY_MS } from "@/lib/contract/durations";
import { RollingWindow } from "./rolling-window";

const WINDOW = 1_000;
const SLOT = 10;

/** The exact answer: a log of everything that was taken. */
class ExactLog {
  readonly taken: { atMs: number; amount: number }[] = [];

  used(nowMs: number, windowMs = WINDOW): number {
    return this.taken
      .filter(({ atMs }) => atMs > nowMs - windowMs)
      .reduce((sum, { amount }) => sum + amount, 0);
  }
}

const steps = fc.array(fc.record({ waitMs: fc.nat(120), amount: fc.integer({ min: 1, max: 5 }) }), {
  maxLength: 200,
  size: "max",
});
const limits = fc.integer({ min: 1, max: 40 });

/** Offers each step to the window while it has room. @returns the log of what the window admitted. */
function run(
  window: RollingWindow,
  offered: { waitMs: number; amount: number }[],
  limit: number,
  watch: (nowMs: number, amount: number, isLetThrough: boolean, log: ExactLog) => void = () => {},
): ExactLog {
  const log = new ExactLog();
  let nowMs = 0;
  for (const { waitMs, amount } of offered) {
    nowMs += waitMs;
    const isLetThrough = window.used(nowMs) + amount <= limit;
    watch(nowMs, amount, isLetThrough, log);
    if (!isLetThrough) continue;
    window.add(nowMs, amount);
    log.taken.push({ atMs: nowMs, amount });
  }
  return log;
}

/** The largest sum in any stretch of one window's length, both ends included. */
function worstStretch({ taken }: ExactLog): number {
  const sums = taken.map(({ atMs: start }) =>
    taken
      .filter(({ atMs }) => atMs >= start && atMs <= start + WINDOW)
      .reduce((sum, { amount }) => sum + amount, 0),
  );
  return Math.max(0, ...sums);
}

test("no stretch of the window's length ever holds more than the limit, even with widened slots", () => {
  fc.assert(
    fc.property(steps, limits, fc.constantFrom(4, 8, 128), (offered, limit, maxSlots) => {
      const log = run(new RollingWindow(WINDOW, SLOT, maxSlots), offered, limit);
      expect(worstStretch(log)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 500 },
  );
});

test("refuses no call that an exact log, one slot longer, would admit", () => {
  fc.assert(
    fc.property(steps, limits, fc.constantFrom(8, 32, 128), (offered, limit, maxSlots) => {
      // The window widens its slots only when this many slots are full.
      const widest = Math.max(SLOT, (2 * WINDOW) / (maxSlots - 2));
      run(new RollingWindow(WINDOW, SLOT, maxSlots), offered, limit, (nowMs, amount, isLetThrough, log) => {
        if (log.used(nowMs, WINDOW + widest) + amount <= limit) expect(isLetThrough).toBe(true);
      });
    }),
    { numRuns: 500 },
  );
});

test("as many slots as a window has at once, and two more, are never widened", () => {
  const window = new RollingWindow(WINDOW, SLOT, WINDOW / SLOT + 2);
  for (let nowMs = 0; nowMs < 3 * WINDOW; nowMs++) window.add(nowMs, 1);
  const nowMs = 3 * WINDOW;
  expect(window.used(nowMs)).toBeLessThanOrEqual(WINDOW + SLOT);
  expect(window.msUntilFree(nowMs, 1)).toBeLessThanOrEqual(SLOT);
});

test("frees capacity exactly when the window ends, not a millisecond before", () => {
  fc.assert(
    fc.property(steps, limits, fc.constantFrom(8, 128), (offered, limit, maxSlots) => {
      const window = new RollingWindow(WINDOW, SLOT, maxSlots);
      run(window, offered, limit);
      const nowMs = offered.reduce((sum, { waitMs }) => sum + waitMs, 0);
      const used = window.used(nowMs);
      if (used === 0) return;
      const wait = window.msUntilFree(nowMs, 1);
      expect(window.msUntilFree(nowMs, used)).toBe(window.msUntilEmpty(nowMs));
      expect(window.used(nowMs + wait - 1)).toBe(used);
      expect(window.used(nowMs + wait)).toBeLessThan(used);
    }),
    { numRuns: 500 },
  );
});

test("frees returned capacity at once, and only once", () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.constantFrom(4, 128), (offered, pick, maxSlots) => {
      const window = new RollingWindow(WINDOW, SLOT, maxSlots);
      const log = run(window, offered, Number.POSITIVE_INFINITY);
      const nowMs = offered.reduce((sum, { waitMs }) => sum + waitMs, 0);
      const chosen = log.taken[pick % Math.max(1, log.taken.length)];
      const before = window.used(nowMs);
      if (!chosen) return;
      window.refund(chosen.atMs, chosen.amount);
      const isStillIn = chosen.atMs > nowMs - WINDOW;
      if (isStillIn) expect(window.used(nowMs)).toBe(before - chosen.amount);
      else expect(window.used(nowMs)).toBeGreaterThanOrEqual(before - chosen.amount);
      // Everything that is left leaves with its slots, so nothing was subtracted twice.
      expect(window.used(nowMs + 3 * WINDOW + 64 * SLOT * 128)).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test("a window that is busy all day stays within its number of slots", () => {
  const day = DAY_MS;
  const window = new RollingWindow(day, 1_000, 256);
  for (let nowMs = 0; nowMs < 2 * day; nowMs += 20_000) window.add(nowMs, 1);
  const perfect = day / 20_000;
  expect(window.used(2 * day)).toBeGreaterThanOrEqual(perfect - 1);
  // Slots widen to 512 s at most, which bounds the error.
  expect(window.used(2 * day)).toBeLessThanOrEqual(perfect + 512 / 20 + 1);
});
