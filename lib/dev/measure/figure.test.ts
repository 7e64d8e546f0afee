import { expect, test } from "bun:test";
import { type Figure, formatFigures, meetsTarget } from "@/lib/dev/measure/figure";

const figure = (value: number, target: Figure["target"]): Figure => ({ name: "x", value, unit: "s", target });

test("a target is met on its very limit, and missed past it", () => {
  expect(meetsTarget(figure(5, { atMost: 5 }))).toBe(true);
  expect(meetsTarget(figure(5.01, { atMost: 5 }))).toBe(false);
  expect(meetsTarget(figure(95, { atLeast: 95 }))).toBe(true);
  expect(meetsTarget(figure(94, { atLeast: 95 }))).toBe(false);
});

test("a missed target stands out in its line", () => {
  const lines = formatFigures([figure(1, { atMost: 2 }), figure(3, { atMost: 2 }), figure(4, null)]);
  expect(lines.map((line) => line.includes("MISSED"))).toEqual([false, true, false]);
});
