import { expect, test } from "bun:test";
import { Refusal } from "../refusal";
import { BatchPace, waitFor } from "./batch-lease";

test("lines are counted for a minute after their answer", () => {
  let nowMs = 0;
  const pace = new BatchPace(() => nowMs);
  for (nowMs = 0; nowMs < 90_000; nowMs += 500) pace.countAnswer();
  expect(pace.describe()).toEqual({ lines_per_minute: 118, waits_for: null });
  nowMs = 200_000;
  expect(pace.describe().lines_per_minute).toBe(0);
});

test("lines of an earlier process count until a minute has passed", () => {
  let nowMs = 100_000;
  const pace = new BatchPace(() => nowMs);
  pace.resume(50, 30_000);
  pace.countAnswer();
  expect(pace.describe().lines_per_minute).toBe(51);
  nowMs += 31_000;
  expect(pace.describe().lines_per_minute).toBe(1);
  const late = new BatchPace(() => nowMs);
  late.resume(50, 90_000);
  expect(late.describe().lines_per_minute).toBe(0);
});

test("reports the longest of several waits while lines wait", () => {
  let nowMs = 0;
  const pace = new BatchPace(() => nowMs);
  pace.waits("live_calls");
  expect(pace.describe().waits_for).toBe("live_calls");
  pace.waits("max_tokens_per_1_minute");
  pace.waits("live_calls");
  expect(pace.describe().waits_for).toBe("max_tokens_per_1_minute");
  pace.waits("balance");
  expect(pace.describe().waits_for).toBe("balance");
  nowMs = 2_000;
  expect(pace.describe().waits_for).toBeNull();
});

test.each([
  ["insufficient_balance", "balance"],
  ["spend_limit", "spend_limit"],
  ["max_requests_per_1_day", "max_requests_per_1_day"],
  ["concurrency", "concurrency"],
  ["provider_error", "provider"],
] as const)("a line refused with %s waits for %s", (code, reason) => {
  expect(waitFor(new Refusal(429, "rate_limit_error", code as "concurrency", "…"))).toBe(reason);
});
