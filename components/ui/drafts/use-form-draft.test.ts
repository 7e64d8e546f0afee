import { expect, test } from "bun:test";
import { findKnownValues } from "./use-form-draft";

const form = { name: "", permissions: ["api.roles.read"], seconds: 4, limit: null, size: undefined };
const known = (values: Record<string, unknown>) => Object.fromEntries(findKnownValues(values, form));

test("what was typed into the form's own fields is known", () => {
  const draft = { name: "Auditor", permissions: [], seconds: 8, limit: "12", size: { width: 1 } };
  expect(known(draft)).toEqual(draft);
  expect(known({ seconds: null, limit: null })).toEqual({ seconds: null, limit: null });
  expect(known({ seconds: "a few" })).toEqual({ seconds: "a few" });
});

test("a field that is gone, or that holds something else by now, is left out", () => {
  expect(known({ name: "Auditor", description: "Old", toString: "x" })).toEqual({ name: "Auditor" });
  expect(known({ name: ["Auditor"], permissions: "api.roles.read", seconds: [8] })).toEqual({});
  expect(known({ name: null, permissions: { 0: "api.roles.read" } })).toEqual({});
});
