import { expect, test } from "bun:test";
import { computeTokensPerSecond, describeDuration, describeWait } from "./describe-latency";

test.each([
  [0.4, "0 ms"],
  [999, "999 ms"],
  [1320, "1.32 s"],
  [125_000, "2 min 5 s"],
])("%p ms took %p", (ms, words) => expect(describeDuration(ms)).toBe(words));

test.each([
  [0, "0 s"],
  [59, "59 s"],
  [65, "1 min 05 s"],
  [12_060, "3 h 21 min"],
])("%p s are left as %p", (seconds, words) => expect(describeWait(seconds)).toBe(words));

test("speed is counted from the first word, and not at all where there is no time between", () => {
  expect(computeTokensPerSecond(50, 500, 1500)).toBe("50.0");
  expect(computeTokensPerSecond(50, 500, 599)).toBeNull();
  expect(computeTokensPerSecond(1, 500, 1500)).toBeNull();
  expect(computeTokensPerSecond(9, null, 1500)).toBeNull();
});
