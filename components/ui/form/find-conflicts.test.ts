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
  const nothing = "No limit";
  expect(describeValue(["a", "c"], ["a", "b"], { nothing })).toBe("+ c\n− b");
  expect(describeValue(["a"], ["a"], { nothing })).toBe("1 chosen");
  expect(describeValue([], ["a"], { nothing })).toBe("No limit\n− a");
  expect(describeValue([], [], { nothing })).toBe("No limit");
  expect(describeValue(null, 5, { nothing })).toBe("No limit");
  expect(describeValue(1000, null, { nothing })).toBe("1,000");
});

test("a choice is described by the words of its select, not by the API's name", () => {
  const choices = [{ value: "deny_list", label: "Every model but those ticked" }];
  const describe = (value: string) => describeValue(value, "all", { nothing: "None", choices });
  expect(describe("deny_list")).toBe("Every model but those ticked");
  expect(describe("later_mode")).toBe("later_mode");
});
