import { expect, test } from "bun:test";
import { formatDuration } from "./format-duration";

test.each([
  [0, "0ms"],
  [11.2, "12ms"],
  [1_000, "1s"],
  [59_001, "1m0s"],
  [360_000, "6m0s"],
  [86_400_000, "24h0m0s"],
])("%d ms is written %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
