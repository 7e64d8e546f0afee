import { expect, test } from "bun:test";
import { describeScope, endpointOptions, noScope, toScopeFields, toScopeForm } from "./key-scope";

test("a scope goes through its form and back", () => {
  for (const scope of [
    { models: null, endpoints: null },
    { models: ["a", "b"], endpoints: null },
    { models: null, endpoints: ["messages" as const] },
    { models: ["a"], endpoints: ["chat_completions" as const, "messages" as const] },
  ]) {
    const form = toScopeForm(scope);
    expect(toScopeFields(form)).toEqual(scope);
    expect(endpointOptions(form.endpoints).map(({ value }) => value)).toContain(form.endpoints);
  }
  expect(toScopeForm({ models: null, endpoints: null })).toEqual(noScope);
});

test("only a changed part is sent, and an emptied one as no limit", () => {
  expect(toScopeFields({ models: [] })).toEqual({ models: null });
  expect(toScopeFields({ endpoints: "" })).toEqual({ endpoints: null });
});

test("a scope is described in a few words", () => {
  expect(describeScope({ models: null, endpoints: null })).toBe("");
  expect(describeScope({ models: ["a"], endpoints: ["messages"] })).toBe("a · messages");
  expect(describeScope({ models: ["a", "b"], endpoints: null })).toBe("2 models");
});
