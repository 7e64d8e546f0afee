import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { Admission } from "../admissions";
import { EmbeddedAdmissions } from "../embedded-admissions";
import { type Arrival, findLeastValue, replayPair } from "./replay-pair";

/** A call that somebody makes, `gapMs` after the one before. */
interface Call {
  readonly gapMs: number;
  readonly tokens: number;
  /** How much of its estimate it uses in the end, and when that is known. */
  readonly share: number;
  readonly durationMs: number;
  readonly isSent: boolean;
}

const price = { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate: toNano(1_000_000_000n) };
const pause = async () => {};

/**
 * Runs calls through a gateway's admission with these limits, and returns its log. A refused call of `unknown`, the log
 * of other limits, uses its estimate and never ends, as a replay assumes.
 */
function run(calls: readonly Call[], limits: RateLimitValues, unknown: readonly Arrival[] = []): Arrival[] {
  const { clock, pass } = simulatedRuntime();
  const spend = new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() });
  const funds = { available: toNano(10n ** 15n) };
  const admissions = new EmbeddedAdmissions(funds, spend, { clock, currency: "USD" });
  const open: { admission: Admission; endMs: number; counted: number; isSent: boolean }[] = [];
  const endUntil = (untilMs: number) => {
    const due = open
      .filter(({ endMs }) => endMs <= untilMs)
      .toSorted((one, other) => one.endMs - other.endMs);
    for (const ended of due) {
      pass(ended.endMs - clock.nowMs());
      open.splice(open.indexOf(ended), 1);
      if (ended.isSent) admissions.settle(ended.admission, ended.counted, toNano(0n));
      else admissions.release(ended.admission, { sent: false });
    }
  };
  const log: Arrival[] = [];
  let atMs = clock.nowMs();
  for (const [index, { gapMs, tokens, share, durationMs, isSent }] of calls.entries()) {
    atMs += gapMs;
    endUntil(atMs);
    pass(atMs - clock.nowMs());
    const common = {
      atMs,
      estimated: tokens,
      batchTokens: 0,
      times: 1,
      keyId: "key_1",
      requestId: `req_${index}`,
    };
    const isUnknown = unknown[index]?.wasRefused ?? false;
    const counted = isSent ? Math.floor(tokens * share) : 0;
    try {
      const request = {
        projectId: "proj_1",
        keyId: "key_1",
        model: "m",
        limits,
        price,
        promptTokens: tokens,
        choices: 1,
      };
      const admission = admissions.admit({ ...request, maxOutputTokens: 0, expectedOutputTokens: 0 });
      const endMs = isUnknown ? null : atMs + durationMs;
      if (endMs !== null) open.push({ admission, endMs, counted, isSent });
      log.push({ ...common, endMs, counted, isSent, wasRefused: false });
    } catch {
      log.push({ ...common, endMs: null, counted: 0, isSent: true, wasRefused: true });
    }
  }
  return log;
}

/** Busy and quiet logs: a window that is full while slots leave it is where a wrong time shows. */
const calls = fc.constantFrom(900, 5_000, 70_000).chain((maxGapMs) =>
  fc.array(
    fc.record({
      gapMs: fc.integer({ min: 1, max: maxGapMs }),
      tokens: fc.integer({ min: 1, max: 300 }),
      share: fc.double({ min: 0, max: 3, noNaN: true }),
      durationMs: fc.integer({ min: 0, max: 40_000 }),
      isSent: fc.boolean(),
    }),
    { minLength: 1, maxLength: 400, size: "max" },
  ),
);
const limits = fc
  .record({
    max_requests_per_1_minute: fc.integer({ min: 0, max: 40 }),
    max_tokens_per_1_minute: fc.integer({ min: 0, max: 3_000 }),
    max_requests_per_1_day: fc.option(fc.integer({ min: 0, max: 200 })),
  })
  .map((some): RateLimitValues => ({ ...builtInRateLimits, ...some }));

const sinceMs = 0;

test("a log replayed at the limits that it was made with refuses exactly what was refused", async () => {
  await fc.assert(
    fc.asyncProperty(calls, limits, async (made, set) => {
      const arrivals = run(made, set);
      const replay = await replayPair({ arrivals, sinceMs, limits: set, pause });
      const stillRefused = arrivals.filter(({ wasRefused }) => wasRefused).length;
      expect(replay).toMatchObject({ calls: made.length, newlyRefused: 0, newlyAdmitted: 0, stillRefused });
    }),
  );
});

test("at other limits it decides as a gateway that really had them", async () => {
  await fc.assert(
    fc.asyncProperty(calls, limits, limits, async (made, set, other) => {
      const arrivals = run(made, set);
      const really = run(made, other, arrivals);
      const count = (was: boolean, is: boolean) =>
        arrivals.filter(({ wasRefused }, index) => wasRefused === was && really[index]?.wasRefused === is)
          .length;
      const replay = await replayPair({ arrivals, sinceMs, limits: other, pause });
      expect(replay).toMatchObject({
        newlyRefused: count(false, true),
        newlyAdmitted: count(true, false),
        stillRefused: count(true, true),
      });
      const first = arrivals.find(({ wasRefused }, index) => !wasRefused && really[index]?.wasRefused);
      expect(replay.examples[0]?.requestId).toBe(first?.requestId as string);
    }),
  );
});

test("the least value refuses nothing, and one request less refuses something", async () => {
  await fc.assert(
    fc.asyncProperty(calls, limits, async (made, set) => {
      const arrivals = run(made, set);
      const options = {
        arrivals,
        sinceMs,
        limits: { ...set, max_tokens_per_1_minute: 1e9, max_requests_per_1_day: null },
        pause,
      };
      const least = await findLeastValue(options, "max_requests_per_1_minute");
      const at = async (value: number) => {
        const changed = { ...options.limits, max_requests_per_1_minute: value };
        const { newlyRefused, stillRefused } = await replayPair({ ...options, limits: changed });
        return newlyRefused + stillRefused;
      };
      expect(await at(least)).toBe(0);
      expect(await at(least - 1)).toBeGreaterThan(0);
      const onlyTokens = { ...options, limits: { ...options.limits, max_requests_per_1_minute: 1e9 } };
      const tokens = await findLeastValue(onlyTokens, "max_tokens_per_1_minute");
      const replay = await replayPair({
        ...onlyTokens,
        limits: { ...onlyTokens.limits, max_tokens_per_1_minute: tokens },
      });
      expect(replay.newlyRefused + replay.stillRefused).toBe(0);
    }),
  );
});

test("calls of the day before fill the windows, and are not counted themselves", async () => {
  const made = Array.from({ length: 10 }, () => ({
    gapMs: 1_000,
    tokens: 1,
    share: 1,
    durationMs: 1,
    isSent: true,
  }));
  const arrivals = run(made, builtInRateLimits);
  const half = arrivals[5]?.atMs ?? 0;
  const few = { ...builtInRateLimits, max_requests_per_1_day: 7 };
  const replay = await replayPair({ arrivals, sinceMs: half, limits: few, pause });
  expect(replay).toMatchObject({ calls: 5, newlyRefused: 3, newlyAdmitted: 0 });
  expect(replay.spans).toEqual([{ fromMs: arrivals[7]?.atMs ?? 0, toMs: arrivals[9]?.atMs ?? 0, calls: 3 }]);
  const dayLater = arrivals.map((arrival) => ({
    ...arrival,
    atMs: arrival.atMs - DAY_MS - 60_000,
    endMs: null,
  }));
  const later = await replayPair({ arrivals: [...dayLater, ...arrivals], sinceMs: half, limits: few, pause });
  expect(later).toMatchObject({ newlyRefused: 3 });
});
