import { expect, test } from "bun:test";
import { isNearLimit } from "./rate-limit-table";

test.each([
  ["at 80 %", { max: 10, peak: 8, refusals: 0 }, true],
  ["below", { max: 10, peak: 7, refusals: 0 }, false],
  ["without a limit", { max: null, peak: 1_000, refusals: 0 }, false],
  ["that lets nothing through", { max: 0, peak: 0, refusals: 0 }, false],
  ["that lets nothing through, with a peak from before", { max: 0, peak: 5, refusals: 0 }, false],
  ["that refused a call", { max: 0, peak: 0, refusals: 1 }, true],
])("a limit %s", (_, limit, isNear) => {
  expect(isNearLimit(limit)).toBe(isNear);
});
