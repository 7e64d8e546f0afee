import { expect, test } from "bun:test";
import { countChanges } from "./count-changes";

test("counts changed fields, a list once and an unchanged one not", () => {
  expect(countChanges({})).toBe(0);
  expect(countChanges({ name: true, description: false })).toBe(1);
  expect(countChanges({ name: true, permissions: [false, true, true] })).toBe(2);
  expect(countChanges({ permissions: [false, false], price: { input: true, output: false } })).toBe(1);
});
