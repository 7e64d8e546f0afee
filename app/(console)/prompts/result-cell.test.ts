import { expect, test } from "bun:test";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { describeResult } from "./result-table";

const name = (check: string) =>
  describeResult({
    state: "refused",
    problem: { check, message: "Why." },
    checks: [],
  } as unknown as PromptResult).label;

test("a result without an answer names the check that refused it, or says that none did", () => {
  expect(name("max_requests_per_1_minute")).toBe("Refused: Requests per minute");
  expect(name("circuit_open")).toBe("Refused: circuit breaker");
  expect(name("rate_limited")).toBe("Refused for now");
  expect(name("failed")).toBe("The provider failed");
  expect(name("unreachable")).toBe("No answer");
});

test("a check that nobody knows is named by its own words, whatever a stored run calls it", () => {
  expect(name("some_new_check")).toBe("Refused: some new check");
  expect(name("constructor")).toBe("Refused: constructor");
});
