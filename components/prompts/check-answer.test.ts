import { expect, test } from "bun:test";
import type { PromptCheck } from "@/lib/contract/operations/playground/prompts";
import { checkAnswer } from "./check-answer";

const answered = { answer: '{"name": "Ada"}\n', amount: "0.000005", durationMs: 120 };
const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

test("each kind of check gives the reason if an answer fails it", async () => {
  const passing: PromptCheck[] = [
    { type: "contains", text: "Ada" },
    { type: "equals", text: '{"name": "Ada"}' },
    { type: "matches", pattern: "(?i)ada" },
    { type: "json_schema", schema },
    { type: "cost_below", amount: "0.00001" },
    { type: "latency_below", ms: 121 },
  ];
  expect(await checkAnswer(passing, answered)).toEqual(passing.map(() => null));
  const failing: PromptCheck[] = [
    { type: "contains", text: "ada" },
    { type: "equals", text: "Ada" },
    { type: "matches", pattern: "^Ada$" },
    { type: "json_schema", schema: { ...schema, properties: { name: { type: "number" } } } },
    { type: "cost_below", amount: "0.000005" },
    { type: "latency_below", ms: 120 },
  ];
  const faults = await checkAnswer(failing, answered);
  expect(faults).toEqual([
    "Does not contain “ada”",
    "Is not “Ada”",
    "Does not match ^Ada$",
    "Does not fit the schema: $.name: expected number",
    "Costs 0.000005, not below 0.000005",
    "Took 120 ms, not below 120 ms",
  ]);
});

test("fails an unknown check, and ends at once on a pattern that backtracks elsewhere", async () => {
  const unknown = { answer: `${"a".repeat(40_000)}!`, amount: null, durationMs: null };
  const checks: PromptCheck[] = [
    { type: "cost_below", amount: "1" },
    { type: "latency_below", ms: 1 },
    { type: "json_schema", schema },
    { type: "matches", pattern: "^(a+)+$" },
  ];
  expect(await checkAnswer(checks, unknown)).toEqual([
    "Its cost is not known",
    "Its duration is not known",
    "Does not fit the schema: The answer is not JSON.",
    "Does not match ^(a+)+$",
  ]);
});

test("a check that can't be run fails, and the others are run", async () => {
  const unreadable = { type: "matches" as const, pattern: "(" };
  const wordAnswered = { answer: "yes", amount: null, durationMs: null };
  expect(await checkAnswer([unreadable, { type: "contains", text: "yes" }], wordAnswered)).toEqual([
    "Could not be checked. Reload the page and run the case again",
    null,
  ]);
});
