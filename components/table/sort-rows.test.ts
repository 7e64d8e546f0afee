import { expect, test } from "bun:test";
import { nextSort, sortRows } from "./sort-rows";

const self = <Value>(value: Value) => value;

test("orders numbers in names as people do", () => {
  expect(sortRows(["gpt-10", "gpt-5", "Gpt-1"], self, false)).toEqual(["Gpt-1", "gpt-5", "gpt-10"]);
});

test("sorts empty values last in both directions", () => {
  expect(sortRows([null, 2, 1n], self, false)).toEqual([1n, 2, null]);
  expect(sortRows([null, 2, 1n], self, true)).toEqual([2, 1n, null]);
});

test("turns the direction on the second press, and starts upwards on another column", () => {
  expect(nextSort(undefined, "name")).toEqual({ column: "name", descending: false });
  expect(nextSort({ column: "name", descending: false }, "name")).toEqual({
    column: "name",
    descending: true,
  });
  expect(nextSort({ column: "name", descending: true }, "rate")).toEqual({
    column: "rate",
    descending: false,
  });
});
