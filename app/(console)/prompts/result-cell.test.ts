import { expect, test } from "bun:test";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import { describeResult } from "./result-cell";

test("a result without an answer names the check that refused it, or says that none did", () => {
  const name = (check: string) =>
    describeResult({
      state: "refused",
      problem: { check, message: "Why." },
      checks: [],
    } as unknown as PromptResult).label;
  expect(name("max_requests_per_1_minute")).toBe("Refused: Requests per minute");
  expect(name("circuit_open")).toBe("Refused: circuit breaker");
  expect(name("rate_limited")).toBe("Refused for now");
  expect(name("failed")).toBe("The provider failed");
  expect(name("unreachable")).toBe("No answer");
});
