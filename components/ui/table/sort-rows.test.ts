import { expect, test } from "bun:test";
import { computeNextSort, cutRows, sortRows } from "./sort-rows";

const self = <Value>(value: Value) => value;

test("orders numbers in names as people do", () => {
  expect(sortRows(["gpt-10", "gpt-5", "Gpt-1"], self, { descending: false })).toEqual([
    "Gpt-1",
    "gpt-5",
    "gpt-10",
  ]);
});

test("sorts empty values last in both directions", () => {
  expect(sortRows([null, 2, 1n], self, { descending: false })).toEqual([1n, 2, null]);
  expect(sortRows([null, 2, 1n], self, { descending: true })).toEqual([2, 1n, null]);
});

test("turns the direction on the second press, and starts upwards on another column", () => {
  expect(computeNextSort(undefined, "name")).toEqual({ column: "name", descending: false });
  expect(computeNextSort({ column: "name", descending: false }, "name")).toEqual({
    column: "name",
    descending: true,
  });
  expect(computeNextSort({ column: "name", descending: true }, "rate")).toEqual({
    column: "rate",
    descending: false,
  });
});

test("a cut list keeps the rows that are asked for, once each and in their order", () => {
  const rows = [5, 4, 3, 2, 1];
  expect(cutRows(rows, 2)).toEqual([5, 4]);
  expect(cutRows(rows, 2, (row) => row % 2 === 1)).toEqual([5, 4, 3, 1]);
  expect(cutRows(rows, 9, () => true)).toEqual(rows);
});
