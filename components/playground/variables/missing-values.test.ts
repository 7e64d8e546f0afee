import { expect, test } from "bun:test";
import type { PromptCase, PromptContent } from "@/lib/contract/operations/playground/prompts";
import { findMissingValues, nameCases } from "./missing-values";

const says = (content: string): PromptContent => ({
  endpoint: "chat_completions",
  body: { messages: [{ role: "user", content }] },
});

test("names what a version asks for and a case has no value of; an empty text is a value", () => {
  const cases: PromptCase[] = [
    { variables: { name: "Ada", tone: "warm" }, checks: [] },
    { variables: { name: "" }, checks: [] },
  ];
  const versions = [
    { number: 1, content: says("{{name}}") },
    { number: 2, content: says("{{name}}, {{tone}}, {{constructor}}") },
  ];
  expect(findMissingValues(cases, versions)).toEqual([
    { version: 2, variable: "tone", cases: [2] },
    { version: 2, variable: "constructor", cases: [1, 2] },
  ]);
  expect(findMissingValues([], versions)).toEqual([]);
});

test("names cases by their numbers, and many by how many", () => {
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect(nameCases([3], 9)).toBe("case 3");
  expect(nameCases([1, 4, 9], 9)).toBe("cases 1, 4 and 9");
  expect(nameCases(upTo(6), 9)).toBe("cases 1, 2, 3, 4, 5 and 6");
  expect(nameCases(upTo(17), 20)).toBe("cases 1, 2, 3, 4, 5 and 12 more");
  expect(nameCases(upTo(9), 9)).toBe("any case");
  expect(nameCases([1], 1)).toBe("the case");
});
