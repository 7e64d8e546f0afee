import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  builtInRateLimits,
  limitWindows,
  type RateLimitRow,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { ZERO } from "@/lib/money/amount";
import { SpendTracker } from "../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { catchRefusal } from "../testing/catch-refusal";
import type { AdmissionRequest } from "./admissions";
import { EmbeddedAdmissions } from "./embedded-admissions";

const PAIR = { projectId: "proj_1", model: "m" };
const measures = {
  requests: () => ({}),
  tokens: (amount: number) => ({ promptTokens: amount }),
  images: (amount: number) => ({ images: amount }),
  audioMegabytes: (amount: number) => ({ audioMegabytes: amount }),
  batchInputTokens: (amount: number) => ({ batchInputTokens: amount }),
} as const;

/** A process after another, with the log that each fills its windows from. */
function openProcesses({ field, counts, window }: RateLimitRow, max: number) {
  // The clocks of a real machine tell different times, and the monotonic one fractions.
  const runtime = simulatedRuntime({ nowMs: 1_800_000_000_123 });
  let bootMs = runtime.clock.nowMs() - 5_000.25;
  const clock = {
    nowMs: () => Math.floor(runtime.clock.nowMs()),
    monotonicMs: () => runtime.clock.monotonicMs() - bootMs,
  };
  const open = () => {
    const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
    return new EmbeddedAdmissions({ available: ZERO }, spend, { clock, currency: "USD" });
  };
  const log: { atMs: number; amount: number }[] = [];
  let admissions = open();
  const buildRequest = (amount: number): AdmissionRequest => ({
    ...PAIR,
    keyId: "key_1",
    limits: { ...builtInRateLimits, [field]: max },
    price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO },
    promptTokens: 0,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
    ...measures[counts](amount),
  });
  return {
    pass: runtime.pass,
    log,
    windowMs: limitWindows[window].ms,
    admit(amount: number) {
      admissions.admit(buildRequest(amount));
      log.push({ atMs: runtime.clock.nowMs(), amount });
    },
    /** How long a refusal says to wait; null for an admitted call. */
    call(amount: number): number | null {
      try {
        this.admit(amount);
        return null;
      } catch {
        return catchRefusal(() => admissions.admit(buildRequest(amount))).details.limit?.resets_in_ms ?? null;
      }
    },
    restart() {
      bootMs = runtime.clock.nowMs() - 777.5;
      admissions = open();
      const since = runtime.clock.nowMs() - limitWindows.day.ms;
      admissions.windows.restore(
        log
          .filter(({ atMs }) => atMs > since)
          .map(({ atMs, amount }) => ({ ...PAIR, atMs, requests: 0, tokens: 0, [counts]: amount })),
      );
    },
  };
}

const step = fc.record({
  /** A part of the window, and of what a refusal says. */
  wait: fc.nat(99_999).map((count) => count / 100_000),
  amount: fc.integer({ min: 1, max: 4 }),
  isRestarted: fc.boolean(),
});

test.each(rateLimitRows)(
  "$field: a call is admitted exactly as long after a refusal as it said, also after restarts, and no window exceeds the limit",
  (row) => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 9 }), fc.array(step, { maxLength: 40 }), (max, steps) => {
        const processes = openProcesses(row, max);
        const { windowMs } = processes;
        for (const { wait, amount: drawn, isRestarted } of steps) {
          processes.pass(Math.round((wait * windowMs) / 10));
          const amount = row.counts === "requests" ? 1 : drawn;
          const waitMs = processes.call(amount);
          if (waitMs === null) continue;
          const passed = Math.floor(waitMs * wait);
          processes.pass(passed);
          if (isRestarted) processes.restart();
          processes.pass(waitMs - passed);
          processes.admit(amount);
        }
        for (const { atMs } of processes.log) {
          const used = processes.log
            .filter((other) => other.atMs >= atMs && other.atMs < atMs + windowMs)
            .reduce((sum, { amount }) => sum + amount, 0);
          expect(used).toBeLessThanOrEqual(max);
        }
      }),
      { numRuns: 60 },
    );
  },
);
