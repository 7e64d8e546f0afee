import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { SpendTracker } from "./spend-tracker";

const amount = (units: number) => toNano(BigInt(units) * 1_000_000_000n);

/** A limit of 100 in November, of which everything is spent. */
function openSpent() {
  const tracker = new SpendTracker({
    limits: [{ scope: null, limit: amount(100) }],
    spent: [{ projectId: "proj_1", amount: amount(100) }],
    nowMs: Date.parse("2026-11-30T23:30:00Z"),
  });
  return {
    readRemaining: (time: string) => tracker.headroomFor("proj_1", Date.parse(time))?.remaining,
    spend(units: number, time: string) {
      tracker.hold("proj_1", amount(units));
      tracker.settle("proj_1", amount(units), amount(units), Date.parse(time));
    },
  };
}

test("a clock that steps over a month's end and back refills no limit, and moves no charge to the next month", () => {
  const { readRemaining, spend } = openSpent();
  expect(readRemaining("2026-12-01T00:30:00Z")).toBe(amount(100));
  expect(readRemaining("2026-11-30T23:31:00Z")).toBe(amount(0));
  spend(7, "2026-11-30T23:59:00Z");
  expect(readRemaining("2026-12-01T00:00:00Z")).toBe(amount(100));
});

test("what is spent while the clock is ahead counts once that month comes", () => {
  const { readRemaining, spend } = openSpent();
  spend(30, "2026-12-01T00:30:00Z");
  expect(readRemaining("2026-11-30T23:31:00Z")).toBe(amount(0));
  expect(readRemaining("2026-12-01T00:00:00Z")).toBe(amount(70));
});

test("a clock that was years ahead for a moment stops no later month", () => {
  const { readRemaining, spend } = openSpent();
  expect(readRemaining("2036-02-07T06:28:00Z")).toBe(amount(100));
  expect(readRemaining("2026-11-30T23:31:00Z")).toBe(amount(0));
  spend(100, "2026-12-02T00:00:00Z");
  expect(readRemaining("2026-12-31T00:00:00Z")).toBe(amount(0));
  expect(readRemaining("2027-01-01T00:00:00Z")).toBe(amount(100));
});

test("a month that the clock turns back to has the charges that it was started with", () => {
  const novemberMs = Date.parse("2026-11-30T23:30:00Z");
  const tracker = new SpendTracker({
    limits: [{ scope: null, limit: amount(100) }],
    spent: [],
    leftMonths: [
      {
        startMs: Date.parse("2026-11-01T00:00:00Z"),
        spent: [
          { projectId: "proj_1", amount: amount(70) },
          { projectId: null, amount: amount(20) },
        ],
      },
    ],
    nowMs: Date.parse("1970-01-01T00:00:00Z"),
  });
  expect(tracker.headroomFor("proj_1", novemberMs)?.remaining).toBe(amount(10));
  expect(tracker.spentBy("proj_1", novemberMs)).toBe(amount(70));
});
