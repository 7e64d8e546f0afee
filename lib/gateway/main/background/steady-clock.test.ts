import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { SteadyClock } from "./steady-clock";

const YEARS_MS = 3_650 * DAY_MS;

test("after a usual restart a minute is enough", () => {
  const { clock, pass } = simulatedRuntime();
  const steady = new SteadyClock(clock, clock.nowMs() - HOUR_MS);
  expect(steady.isSteady()).toBe(false);
  pass(MINUTE_MS);
  expect(steady.isSteady()).toBe(true);
});

test("a clock that is years ahead at the start, and corrected soon after, never counts as steady before an hour has passed", () => {
  const { clock, pass, stepWallClock } = simulatedRuntime();
  const lastStoredMs = clock.nowMs();
  stepWallClock(YEARS_MS);
  const steady = new SteadyClock(clock, lastStoredMs);
  pass(2 * MINUTE_MS);
  expect(steady.isSteady()).toBe(false);
  stepWallClock(-YEARS_MS);
  expect(steady.isSteady()).toBe(false);
  pass(HOUR_MS - 1);
  expect(steady.isSteady()).toBe(false);
  pass(1);
  expect(steady.isSteady()).toBe(true);
});

test("a step while the gateway runs stops it for an hour, slow drift doesn't", () => {
  const { clock, pass, stepWallClock } = simulatedRuntime();
  const steady = new SteadyClock(clock, null);
  pass(MINUTE_MS);
  for (let minute = 0; minute < 200; minute++) {
    stepWallClock(1_000);
    pass(MINUTE_MS);
    expect(steady.isSteady()).toBe(true);
  }
  stepWallClock(YEARS_MS);
  expect(steady.isSteady()).toBe(false);
  pass(HOUR_MS);
  expect(steady.isSteady()).toBe(true);
});

test("a clock that turns by more than a day may be far off for ten minutes, one that was asleep for hours is not", () => {
  const { clock, pass, stepWallClock } = simulatedRuntime();
  const steady = new SteadyClock(clock, clock.nowMs() - HOUR_MS);
  stepWallClock(8 * HOUR_MS);
  expect(steady.mayBeFarOff()).toBe(false);
  stepWallClock(YEARS_MS);
  expect(steady.mayBeFarOff()).toBe(true);
  pass(5 * MINUTE_MS);
  stepWallClock(-YEARS_MS);
  expect(steady.mayBeFarOff()).toBe(true);
  pass(10 * MINUTE_MS);
  expect(steady.mayBeFarOff()).toBe(false);
  expect(new SteadyClock(clock, clock.nowMs() - 2 * DAY_MS).mayBeFarOff()).toBe(true);
});
