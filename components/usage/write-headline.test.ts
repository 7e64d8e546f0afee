import { expect, test } from "bun:test";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { writeHeadline, writeMonthHeadline } from "./write-headline";

const NOVEMBER = Date.UTC(2026, 10, 1) / 1000;
const DAY = 86_400;

const month = (groups: Readonly<Record<string, string>>, amount: string, days: readonly string[]) =>
  ({
    start_time: NOVEMBER,
    end_time: NOVEMBER + days.length * DAY,
    group_by: "project_id",
    groups: Object.entries(groups).map(([name, spent]) => ({ id: name, name, totals: { amount: spent } })),
    totals: { amount },
    previous: null,
    series: { amount: days },
  }) as unknown as UsageSummary;

const october = {
  start_time: Date.UTC(2026, 9, 1) / 1000,
  series: { amount: ["4.00", "4.00"] },
} as unknown as UsageSummary;

test("the month's headline names the project that spends most, however small its share", () => {
  const many = month({ "Support bot": "1.00", Search: "0.50" }, "5.00", ["2.00", "3.00"]);
  expect(writeMonthHeadline(many, october)).toBe("Support bot makes up 20 % of November’s spend");
});

test("with one project, or none that spent anything, it compares the same days of the month before", () => {
  const one = month({ "Support bot": "5.00" }, "5.00", ["2.00", "3.00"]);
  expect(writeMonthHeadline(one, october)).toBe(
    "Spend until yesterday is down 38 % on the first 2 days of October",
  );
  expect(writeMonthHeadline(one, undefined)).toBe("Spend of this month");
  const free = month({ "Support bot": "0.00", Search: "0.00" }, "0.00", ["0.00"]);
  expect(writeMonthHeadline(free, undefined)).toBe("Spend of this month");
});

test("a chart's headline names a group only if it makes up half of the whole", () => {
  const half = month({ "Support bot": "2.50", Search: "2.50" }, "5.00", ["2.00", "3.00"]);
  expect(writeHeadline(half, "spend")).toBe("Spend of the last 2 days, 50 % of it by Support bot");
  const less = month({ "Support bot": "2.45", Search: "2.55" }, "5.00", ["2.00", "3.00"]);
  expect(writeHeadline(less, "spend")).toBe("Spend of the last 2 days");
});
