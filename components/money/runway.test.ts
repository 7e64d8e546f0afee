import { expect, test } from "bun:test";
import { describeRunway, estimateRunway, explainRunway, measurePace } from "./use-runway";

/** Thursday, 14:30 UTC. */
const NOW = Date.UTC(2027, 0, 14, 14, 30) / 1000;
const daily = (...amounts: string[]) =>
  amounts.map((amount, day) => ({ start_time: NOW - day * 86_400 - 3_600, amount }));
const tell = (available: string, ...amounts: string[]) => {
  const pace = measurePace(daily(...amounts), NOW);
  const runway = pace && estimateRunway(available, pace);
  return runway && [describeRunway(runway, NOW, "UTC"), explainRunway(runway)];
};

test("estimates how long a balance lasts at the daily pace, with a range", () => {
  expect(tell("70.00", "10.00", "10.00", "10.00", "10.00", "10.00", "10.00", "10.00")).toEqual([
    "Balance lasts until Thu 21 January",
    "At the pace of the last 7 days: 7 days.",
  ]);
  const [, explained] = tell("110.00", "5.00", "15.00", "10.00", "10.00", "12.00", "8.00", "10.00") ?? [];
  expect(explained).toBe("At the pace of the last 7 days: 11 days, between 9 and 14.");
});

test("describes a runway by the first day spent, by the hour when it ends soon, and not without spending", () => {
  expect(tell("12.00", "24.00")).toEqual([
    "Balance lasts until Fri 02:30",
    "At the pace of the last day: 12 hours.",
  ]);
  expect(tell("12.00", "0.00", "0.00")).toBeNull();
  expect(tell("9000.00", "0.01")?.[0]).toBe("Balance lasts for more than a year");
});

test("a balance that is used up has no date", () => {
  const usedUp = ["Balance is used up", "Calls are refused until a payment is recorded."];
  expect(tell("0.00", "1.00")).toEqual(usedUp);
  expect(tell("-0.50", "1.00")).toEqual(usedUp);
});

test("the last hours are counted in words that fit their number", () => {
  const explain = (available: string) => tell(available, "24.00")?.[1];
  expect(explain("2.50")).toBe("At the pace of the last day: 2 hours.");
  expect(explain("1.50")).toBe("At the pace of the last day: 1 hour.");
  expect(explain("0.50")).toBe("At the pace of the last day: less than an hour.");
});
