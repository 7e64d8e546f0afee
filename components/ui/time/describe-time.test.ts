import { expect, test } from "bun:test";
import {
  describeElapsed,
  formatIsoTime,
  formatUtcDay,
  formatUtcMinute,
  formatUtcTime,
} from "./describe-time";

const now = 1_772_357_400;

test("says how long ago in the largest whole unit", () => {
  expect(describeElapsed(now - 59, now)).toBe("just now");
  expect(describeElapsed(now - 60, now)).toBe("1 minute ago");
  expect(describeElapsed(now - 3_599, now)).toBe("59 minutes ago");
  expect(describeElapsed(now - 86_400 * 3, now)).toBe("3 days ago");
  expect(describeElapsed(now + 7_200, now)).toBe("in 2 hours");
});

test("rounds future times: seven days less a moment are seven days", () => {
  expect(describeElapsed(now + 7 * 86_400 - 31, now)).toBe("in 7 days");
  expect(describeElapsed(now + 86_400 - 5, now)).toBe("in 1 day");
  expect(describeElapsed(now + 3_541, now)).toBe("in 1 hour");
  expect(describeElapsed(now + 3_500, now)).toBe("in 58 minutes");
  expect(describeElapsed(now + 59, now)).toBe("just now");
});

test("writes UTC to the second", () => {
  expect(formatUtcTime(now)).toBe("1 Mar 2026, 09:30:00 UTC");
  expect(formatUtcMinute(now)).toBe("1 Mar 2026, 09:30");
  expect(formatUtcDay(now)).toBe("1 Mar 2026");
  expect(formatIsoTime(now)).toBe("2026-03-01 09:30:00 UTC");
});
