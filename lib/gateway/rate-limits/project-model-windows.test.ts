import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { ProjectModelWindows } from "./project-model-windows";

const limitTokens = (max: number) => ({ ...builtInRateLimits, max_tokens_per_1_minute: max });
const tokens = (amount: number) => ({ tokens: amount });

test("calls that used a hundred times their estimate delay the next until the limit would have let all of it through", () => {
  const windows = new ProjectModelWindows();
  const limits = limitTokens(5_000);
  let nowMs = 0;
  for (let call = 0; call < 60; call++) {
    expect(windows.findBreach(limits, tokens(83), nowMs)).toBeNull();
    windows.take(tokens(83), nowMs);
  }
  for (let call = 0; call < 60; call++) windows.takeLate(9_016 - 83, limits, nowMs);
  const breach = windows.findBreach(limits, tokens(83), nowMs);
  expect(breach).toMatchObject({ used: 60 * 9_016, max: 5_000 });
  const wait = breach?.resetsInMs ?? 0;
  expect(wait).toBeGreaterThan(107 * MINUTE_MS);
  expect(wait).toBeLessThan(110 * MINUTE_MS);
  nowMs += wait - 1;
  expect(windows.findBreach(limits, tokens(83), nowMs)).not.toBeNull();
  expect(windows.findBreach(limits, tokens(83), nowMs + 1)).toBeNull();
});

test("makes no debt of tokens that fit, nor of a lowered limit", () => {
  const windows = new ProjectModelWindows();
  windows.take(tokens(10), 0);
  windows.takeLate(90, limitTokens(100), 0);
  expect(windows.findBreach(limitTokens(100), tokens(1), 0)?.resetsInMs).toBe(MINUTE_MS + 500);
  expect(windows.findBreach(limitTokens(20), tokens(1), 1)?.resetsInMs).toBe(MINUTE_MS + 499);
  expect(windows.findBreach(limitTokens(20), tokens(1), MINUTE_MS + 500)).toBeNull();
});

const call = fc.record({
  waitMs: fc.oneof(fc.nat(3_000), fc.nat(200_000), fc.nat(DAY_MS)),
  estimated: fc.integer({ min: 1, max: 100 }),
  used: fc.oneof(fc.nat(100), fc.nat(2_000)),
  /** Whether the client waits for as long as `retry-after` says. */
  isPatient: fc.boolean(),
});

test("when a call is admitted, usage is within the limit for the elapsed time, and the announced wait is exact", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 500 }), fc.array(call, { maxLength: 40 }), (max, calls) => {
      const windows = new ProjectModelWindows();
      const limits = limitTokens(max);
      let nowMs = 0;
      let used = 0;
      for (const { waitMs, estimated, used: real, isPatient } of calls) {
        nowMs += waitMs;
        const breach = windows.findBreach(limits, tokens(estimated), nowMs);
        if (breach && !isPatient) continue;
        if (breach) {
          nowMs += breach.resetsInMs ?? 0;
          expect(windows.findBreach(limits, tokens(estimated), nowMs)).toBeNull();
        }
        expect(used + estimated).toBeLessThanOrEqual(max * (Math.floor(nowMs / MINUTE_MS) + 1));
        windows.take(tokens(estimated), nowMs);
        if (real < estimated) windows.refund(tokens(estimated - real), nowMs);
        else windows.takeLate(real - estimated, limits, nowMs);
        used += real;
      }
    }),
    { numRuns: 500 },
  );
});

test("the wait is at most one slot too long for each time that the window fills again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(100_000), (max, late) => {
      const windows = new ProjectModelWindows();
      windows.takeLate(late, limitTokens(max), 0);
      const wait = windows.findBreach(limitTokens(max), tokens(1), 0)?.resetsInMs ?? 0;
      expect(wait).toBeLessThanOrEqual(Math.ceil((late + 1) / max) * (MINUTE_MS + 500));
    }),
  );
});
