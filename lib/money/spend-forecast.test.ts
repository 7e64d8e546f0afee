import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { findLimitReachedMs, forecastMonth } from "../gateway/routes/projects/project-summaries";
import { parseCheckedAmount } from "./amount";

const at = (time: string) => Date.parse(`2026-11-${time}Z`);
const month = {
  spent: parseCheckedAmount("30.00"),
  nowMs: at("21T00:00:00"),
  endMs: Date.parse("2026-12-01T00:00:00Z"),
  pace: { charged: parseCheckedAmount("14.00"), ms: 7 * DAY_MS },
};

test("the rest of the month costs a day what the last days did", () => {
  expect(forecastMonth(month)).toBe(parseCheckedAmount("50.00"));
  expect(forecastMonth({ ...month, nowMs: month.endMs })).toBe(month.spent);
  expect(forecastMonth({ ...month, pace: { charged: parseCheckedAmount("1.00"), ms: 0 } })).toBeGreaterThan(
    0n,
  );
});

test("a limit is reached on the day on which the pace reaches it, or not in this month", () => {
  const reached = (limit: string, of = month) => findLimitReachedMs(parseCheckedAmount(limit), of);
  expect(reached("33.00")).toBe(at("22T12:00:00"));
  expect(reached("30.00")).toBe(month.nowMs);
  expect(reached("0.00")).toBe(month.nowMs);
  expect(reached("50.00")).toBeNull();
  expect(reached("9000000000.00")).toBeNull();
  expect(
    reached("33.00", { ...month, pace: { charged: parseCheckedAmount("0.00"), ms: 7 * DAY_MS } }),
  ).toBeNull();
});
