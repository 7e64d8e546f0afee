import { expect, test } from "bun:test";
import {
  describeKeyLimits,
  endpointOptions,
  noKeyLimits,
  toKeyLimitFields,
  toKeyLimitsForm,
} from "./key-limits";

test("limits go through their form and back", () => {
  for (const limits of [
    { models: null, endpoints: null },
    { models: ["a", "b"], endpoints: null },
    { models: null, endpoints: ["messages" as const] },
    { models: ["a"], endpoints: ["chat_completions" as const, "messages" as const] },
  ]) {
    const form = toKeyLimitsForm(limits);
    expect(toKeyLimitFields(form)).toEqual(limits);
    expect(endpointOptions(form.endpoints).map(({ value }) => value)).toContain(form.endpoints);
  }
  expect(toKeyLimitsForm({ models: null, endpoints: null })).toEqual(noKeyLimits);
});

test("only a changed part is sent, and an emptied one as no limit", () => {
  expect(toKeyLimitFields({ models: [] })).toEqual({ models: null });
  expect(toKeyLimitFields({ endpoints: "" })).toEqual({ endpoints: null });
});

test("limits are described in a few words", () => {
  expect(describeKeyLimits({ models: null, endpoints: null })).toBe("");
  expect(describeKeyLimits({ models: ["a"], endpoints: ["messages"] })).toBe("a · messages");
  expect(describeKeyLimits({ models: ["a", "b"], endpoints: null })).toBe("2 models");
});
