import { expect, test } from "bun:test";
import { describeCaller, describeOperation, describeReason } from "./refusal-screen";

test("operations are described in words", () => {
  expect(describeOperation({ operation: "deleteProjectApiKey" })).toBe("Delete project API key");
  expect(describeOperation({ operation: "listRoles" })).toBe("List roles");
  expect(describeOperation({ operation: null })).toBe("Several operations");
});

test("callers are described by name, and by their key if they used one", () => {
  expect(describeCaller({ caller: null })).toEqual({ name: "Unknown", note: null });
  const caller = { type: "project_key", id: "key_1", name: "CI" } as const;
  expect(describeCaller({ caller })).toEqual({ name: "CI", note: "project key" });
});

test("a reason without words is its code", () => {
  expect(describeReason({ code: "missing_permission" })).toBe("Permission missing");
  expect(describeReason({ code: "new_code" })).toBe("new_code");
});
