import { expect, test } from "bun:test";
import { describeValue, findConflicts } from "./find-conflicts";

const was = { limit: 600, day: null, name: "Auditor" };

test("a conflict is a field both have changed, to different values", () => {
  expect(findConflicts(was, { ...was, limit: 222 }, { limit: 111 })).toEqual([
    { name: "limit", was: 600, current: 222, edited: 111 },
  ]);
  expect(findConflicts(was, { ...was, limit: 222 }, { limit: 222 })).toEqual([]);
  expect(findConflicts(was, { ...was, day: 5 }, { limit: 111 })).toEqual([]);
  expect(findConflicts(was, was, { limit: 111, name: "Other" })).toEqual([]);
});

test("a list is described by its additions and removals", () => {
  expect(describeValue(["a", "c"], ["a", "b"], "Empty")).toBe("+ c\n− b");
  expect(describeValue(["a"], ["a"], "Empty")).toBe("1 chosen");
  expect(describeValue(null, 5, "No limit")).toBe("No limit");
  expect(describeValue(1000, null, "No limit")).toBe("1,000");
});
