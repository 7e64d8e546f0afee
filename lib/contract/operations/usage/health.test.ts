import { expect, test } from "bun:test";
import { isFailing } from "../../calls/request-outcomes";

test.each([
  ["a model without calls", 0, 0, false],
  ["the first calls, of which all failed", 4, 4, false],
  ["few calls, of which all failed", 5, 5, true],
  ["few calls, of which some failed", 4, 19, false],
  ["few calls, of which many failed", 5, 19, true],
  ["one failure in twenty calls", 1, 20, true],
  ["one failure in more calls", 1, 21, false],
  ["many failures, but a small share", 49, 1_000, false],
  ["many failures", 50, 1_000, true],
])("%s: %p of %p need attention: %p", (_, errors, calls, needsAttention) => {
  expect(isFailing({ calls, errors })).toBe(needsAttention);
});
