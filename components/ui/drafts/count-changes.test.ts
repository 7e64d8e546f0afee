import { expect, test } from "bun:test";
import { countChanges } from "./form-changes";

test("counts each changed field once, including fields that were empty", () => {
  expect(countChanges({}, { name: "  ", limit: null })).toBe(0);
  expect(countChanges({ name: "a", limit: 3 }, { name: "b", limit: null })).toBe(2);
  expect(countChanges({ price: { input: "1", output: "2" } }, { price: { input: "1", output: "3" } })).toBe(
    1,
  );
  expect(countChanges({ limit: 600 }, { limit: "" })).toBe(1);
});

test("each entry that was added or taken away counts, and the order of texts does not", () => {
  expect(countChanges({ permissions: ["a", "b"] }, { permissions: ["b", "a"] })).toBe(0);
  expect(countChanges({ permissions: ["a"] }, { permissions: ["b", "c", "a"] })).toBe(2);
  expect(countChanges({ permissions: ["a"] }, { permissions: ["b"] })).toBe(2);
});

test("an entry of several fields counts once", () => {
  const before = { projects: [{ id: "p", role: "member" }] };
  expect(countChanges(before, { projects: [{ id: "q", role: "owner" }] })).toBe(1);
  expect(countChanges(before, { projects: [] })).toBe(1);
  expect(countChanges(before, { projects: [...before.projects, { id: "q", role: "owner" }] })).toBe(1);
});
