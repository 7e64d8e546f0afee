import { expect, test } from "bun:test";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { BatchRecord } from "../batch-store.sql";
import { LineThrottle } from "./line-throttle";

const batch = { projectId: "proj_1", model: "m", total: 1, countedTokens: 1 } as BatchRecord;

const notOver = () => false;

/** A throttle without rate limits, whose timers fire late by `lag.ms`. */
function openThrottle() {
  const runtime = simulatedRuntime();
  const lag = { ms: 0 };
  const admissions = { inFlight: 0, readStatus: () => ({}) as never };
  const waitsMs: number[] = [];
  const timers = {
    async wait(ms: number) {
      waitsMs.push(ms);
      runtime.pass(ms + lag.ms);
    },
    every: () => () => {},
  };
  const throttle = new LineThrottle({
    runtime,
    timers,
    admissions,
    rateLimitCache: { effectiveLimits: () => ({}) as never },
    catalogue: { find: () => undefined },
  });
  return {
    throttle,
    runtime,
    admissions,
    lag,
    /** Starts lines one after the other. @returns how long each waited, in milliseconds. */
    async start(lines: number): Promise<number[]> {
      waitsMs.length = 0;
      for (let line = 0; line < lines; line++) {
        (await throttle.begin(batch, notOver, () => {})).end();
      }
      return [...waitsMs];
    },
  };
}

test("lines start at once without live calls, and at intervals during one and for a second after it", async () => {
  const { throttle, runtime, admissions, start } = openThrottle();
  runtime.pass(5_000);
  expect(await start(100)).toEqual([]);
  admissions.inFlight = 1;
  expect(await start(3)).toEqual([25, 25, 25]);
  admissions.inFlight = 0;
  throttle.noteLiveCall();
  expect(await start(3)).toEqual([25, 25, 25]);
  runtime.pass(1_001);
  expect(await start(100)).toEqual([]);
});

test("beside live calls lines start further apart while the event loop is busy, and never cease", async () => {
  const { admissions, lag, start } = openThrottle();
  admissions.inFlight = 1;
  lag.ms = 10;
  expect(await start(6)).toEqual([25, 50, 100, 200, 250, 250]);
  lag.ms = 1;
  const secondStart = await start(60);
  expect(secondStart.at(0)).toBe(250);
  expect(secondStart.at(1)).toBeLessThan(250);
  expect(secondStart.at(-1)).toBe(25);
});

test("a line counts once in its limit: until it is admitted here, and from then on in what is used", async () => {
  const runtime = simulatedRuntime();
  const requests = { used: 0, max: 10 };
  const throttle = new LineThrottle({
    runtime,
    timers: { wait: async () => {}, every: () => () => {} },
    admissions: {
      inFlight: 0,
      readStatus: async () => ({ requests, tokens: { used: 0, max: 1_000 } }) as never,
    },
    rateLimitCache: { effectiveLimits: () => ({}) as never },
    catalogue: { find: () => ({ typicalOutputTokens: 1 }) as never },
  });
  runtime.pass(5_000);
  const begin = async () => {
    let isFull = false;
    const started = await throttle.begin(
      batch,
      () => isFull,
      () => (isFull = true),
    );
    return { started, isFull };
  };
  const waited: boolean[] = [];
  for (let line = 1; line <= 9; line++) {
    const { started, isFull } = await begin();
    waited.push(isFull);
    requests.used++;
    started.noteAdmitted();
  }
  // Eight of ten requests are the share of batches, though none of the lines has ended.
  expect(waited).toEqual([...Array.from({ length: 8 }, () => false), true]);
});
