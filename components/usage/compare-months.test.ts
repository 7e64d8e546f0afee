import { expect, test } from "bun:test";
import { compareMonths } from "./compare-months";

const DAY = 86_400;
const october = Date.UTC(2026, 9) / 1000;
const november = Date.UTC(2026, 10) / 1000;

/** A month whose days cost `amounts`, asked until `untilDay`. */
function month(start: number, amounts: readonly string[], untilDay = amounts.length) {
  return { start_time: start, end_time: start + untilDay * DAY, series: { amount: [...amounts] } };
}

test("the figure and its comparison cover the same whole days, without today", () => {
  const before = month(october, ["1", "1", "50", "50"]);
  expect(compareMonths(month(november, ["1", "2", "90"], 2.5), before)).toEqual({
    now: "3.00",
    before: "2.00",
    text: "up 50 % on the first 2 days of October",
    brief: "up 50 % on 1–2 October",
  });
});

test("a single day is written in the singular, and an equal figure as unchanged", () => {
  const before = month(october, ["1", "7"]);
  expect(compareMonths(month(november, ["1", "9"], 1.2), before)?.text).toBe(
    "unchanged from the first day of October",
  );
});

test("makes no comparison on the first day, or with days without costs", () => {
  expect(compareMonths(month(november, ["5"], 0.5), month(october, ["1"]))).toBeNull();
  expect(compareMonths(month(november, ["5", "5"], 1.5), month(october, []))).toBeNull();
});

test("at the end of March, the month before is compared as a whole, since it has fewer days", () => {
  const february = month(
    Date.UTC(2026, 1) / 1000,
    Array.from({ length: 28 }, () => "1"),
  );
  const march = (untilDay: number) =>
    month(
      Date.UTC(2026, 2) / 1000,
      Array.from({ length: 31 }, () => "1"),
      untilDay,
    );
  expect(compareMonths(march(28.5), february)?.text).toBe("unchanged from the first 28 days of February");
  expect(compareMonths(march(30.5), february)).toEqual({
    now: "30.00",
    before: "28.00",
    text: "up 7 % on all 28 days of February",
    brief: "up 7 % on 1–28 February",
  });
});
