import { expect, test } from "bun:test";
import { describeElapsed, utcTime } from "./describe-time";

const now = 1_772_357_400;

test("says how long ago in the largest whole unit", () => {
  expect(describeElapsed(now - 59, now)).toBe("just now");
  expect(describeElapsed(now - 60, now)).toBe("1 minute ago");
  expect(describeElapsed(now - 3_599, now)).toBe("59 minutes ago");
  expect(describeElapsed(now - 86_400 * 3, now)).toBe("3 days ago");
  expect(describeElapsed(now + 7_200, now)).toBe("in 2 hours");
});

test("writes UTC to the second", () => {
  expect(utcTime(now)).toBe("2026-03-01 09:30:00 UTC");
});
