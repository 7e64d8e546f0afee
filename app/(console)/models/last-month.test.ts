import { expect, test } from "bun:test";
import { lastMonthRead, lastMonthUnitsRead, monthAtPrice } from "./last-month";

const figures = (prompt_tokens: number, completion_tokens: number, amount: string) =>
  ({ prompt_tokens, completion_tokens, amount }) as never;
const summary = {
  groups: [
    { id: "proj_1", name: "Research", totals: figures(2_000_000, 1_000_000, "1.40") },
    { id: "proj_2", name: null, totals: figures(1_000_000, 0, "0.20") },
  ],
  rest: { groups: 3, totals: figures(500_000, 0, "0.10") },
  totals: figures(3_500_000, 1_000_000, "1.70"),
} as never;

test("last month's tokens are priced by project, and together", () => {
  const typed = { rate: "0.4", input_per_1m: "1.00", output_per_1m: "5.00" };
  expect(monthAtPrice(summary, typed)).toEqual({
    projects: [
      { id: "proj_1", name: "Research", charged: "1.40", atPrice: "2.80" },
      { id: "proj_2", name: "proj_2", charged: "0.20", atPrice: "0.40" },
      { id: "rest", name: "3 other projects", charged: "0.10", atPrice: "0.20" },
    ],
    total: { id: "total", name: "All projects", charged: "1.70", atPrice: "3.40" },
  });
});

test.each([
  { rate: "0", input_per_1m: "1", output_per_1m: "1" },
  { rate: "1", input_per_1m: "", output_per_1m: "1" },
  { rate: "1", input_per_1m: "1", output_per_1m: "-1" },
])("nothing is told of what is no price yet: %p", (typed) => {
  expect(monthAtPrice(summary, typed)).toBeNull();
});

test("the month before is a whole one of UTC, over a year's end too", () => {
  const range = (now: string) => {
    const [, { start_time, end_time }] = lastMonthRead("m", Date.parse(now) / 1000);
    return [start_time, end_time].map((at) => new Date(Number(at) * 1000).toISOString().slice(0, 10));
  };
  expect(range("2026-11-22T16:00:00Z")).toEqual(["2026-10-01", "2026-11-01"]);
  expect(range("2027-01-01T00:00:00Z")).toEqual(["2026-12-01", "2027-01-01"]);
  const [, ofUnits] = lastMonthUnitsRead("m", 1_800_000_000);
  expect(ofUnits).toMatchObject({ model_id: "m", start_time: "1796083200", end_time: "1798761600" });
});
