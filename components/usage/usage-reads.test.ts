import { expect, test } from "bun:test";
import { startOfMonth } from "./start-of-month";
import { parseOverviewRange, recentUsageRead, usageReads } from "./usage-reads";

const at = (time: string) => Date.parse(time) / 1000;

test("a month begins on its first day in UTC, and the one before across the turn of the year", () => {
  const now = at("2026-01-31T23:59:59Z");
  expect(startOfMonth(now)).toBe(at("2026-01-01T00:00:00Z"));
  expect(startOfMonth(at("2026-02-01T00:00:00Z"))).toBe(at("2026-02-01T00:00:00Z"));
  const [, before] = usageReads(now).monthBefore;
  expect([before.start_time, before.end_time].map(Number)).toEqual([
    at("2025-12-01T00:00:00Z"),
    at("2026-01-01T00:00:00Z"),
  ]);
});

test("the overview's ranges begin with a whole hour or day, and an unknown one is the last day", () => {
  const now = at("2026-03-10T14:59:59Z");
  const startOf = (range: string) => Number(recentUsageRead(parseOverviewRange(range), now)[1].start_time);
  expect(startOf("")).toBe(at("2026-03-09T14:00:00Z"));
  expect(startOf("7d")).toBe(at("2026-03-03T14:00:00Z"));
  expect(startOf("30d")).toBe(at("2026-02-08T00:00:00Z"));
  expect(startOf("constructor")).toBe(at("2026-03-09T14:00:00Z"));
});
