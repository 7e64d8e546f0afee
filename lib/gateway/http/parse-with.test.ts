import { beforeAll, expect, test } from "bun:test";
import * as z from "zod/mini";
import { installPlainMessages } from "@/lib/contract/describe-issue";
import { roleDraft } from "@/lib/contract/operations/people/roles";
import { sessionDraft } from "@/lib/contract/operations/sign-in/sessions";
import { catchRefusal } from "../testing/catch-refusal";
import { parseWith } from "./parse-with";

beforeAll(installPlainMessages);

test.each([
  ["unknown", { role_name: "x", permissions: ["api.roles.read"], colour: 1 }, "colour", "unknown_field"],
  ["missing", { permissions: ["api.roles.read"] }, "role_name", "missing_field"],
  ["of a wrong type", { role_name: 1, permissions: ["api.roles.read"] }, "role_name", "invalid_value"],
  ["too short", { role_name: " ", permissions: ["api.roles.read"] }, "role_name", "invalid_value"],
  [
    "an unknown permission",
    { role_name: "x", permissions: ["api.roles.read", "y"] },
    "permissions.1",
    "unknown_permission",
  ],
])("a field that is %s is named", (_, value, param, code) => {
  expect(catchRefusal(() => parseWith(roleDraft, value))).toMatchObject({
    status: 400,
    code,
    details: { param },
  });
});

test("the nearest permission is a question, once", () => {
  const value = { role_name: "x", permissions: ["api.role.read"] };
  expect(catchRefusal(() => parseWith(roleDraft, value)).message).toBe(
    "permissions.0 is not a permission; did you mean api.roles.read?",
  );
});

test("describes the fault of the variant that was meant", () => {
  expect(catchRefusal(() => parseWith(sessionDraft, { key: 7 }))).toMatchObject({
    details: { param: "key" },
  });
  expect(catchRefusal(() => parseWith(sessionDraft, {}))).toMatchObject({ code: "missing_field" });
});

test("a name that a caller made up is not said back whole", () => {
  const refusal = catchRefusal(() => parseWith(z.strictObject({}), { ["k".repeat(1_000_000)]: 1 }));
  expect(refusal.message.length).toBeLessThan(300);
  expect(JSON.stringify(refusal.body("req_1")).length).toBeLessThan(500);
});
