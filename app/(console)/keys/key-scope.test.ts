import { expect, test } from "bun:test";
import {
  describeKeyScope,
  endpointOptions,
  toKeyScopeFields,
  toKeyScopeForm,
  unlimitedScope,
} from "./key-scope";

test("a scope goes through its form and back", () => {
  for (const scope of [
    { models: null, endpoints: null },
    { models: ["a", "b"], endpoints: null },
    { models: null, endpoints: ["messages" as const] },
    { models: ["a"], endpoints: ["chat_completions" as const, "messages" as const] },
  ]) {
    const form = toKeyScopeForm(scope);
    expect(toKeyScopeFields(form)).toEqual(scope);
    expect(endpointOptions(form.endpoints).map(({ value }) => value)).toContain(form.endpoints);
  }
  expect(toKeyScopeForm({ models: null, endpoints: null })).toEqual(unlimitedScope);
});

test("only a changed part is sent, and an emptied one as no limit", () => {
  expect(toKeyScopeFields({ models: [] })).toEqual({ models: null });
  expect(toKeyScopeFields({ endpoints: "" })).toEqual({ endpoints: null });
});

test("a scope is described in a few words", () => {
  expect(describeKeyScope({ models: null, endpoints: null })).toBe("");
  expect(describeKeyScope({ models: ["a"], endpoints: ["messages"] })).toBe("a · messages");
  expect(describeKeyScope({ models: ["a", "b"], endpoints: null })).toBe("2 models");
});
