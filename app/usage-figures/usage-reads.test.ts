import { expect, test } from "bun:test";
import { startOfMonth, usageReads } from "./usage-reads";

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
