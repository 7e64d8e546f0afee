import { expect, test } from "bun:test";
import { createProblem } from "@/lib/console/gateway/problem";
import { nameFailure } from "./pane-head";

test("a call that a check refused is told from one whose provider failed before or after its first word", () => {
  const name = (state: "refused" | "broken", code: "invalid" | "failed" | "unreachable") =>
    nameFailure({ state, problem: createProblem(code, "Why.") });
  expect(name("refused", "invalid")).toBe("Refused");
  expect(name("refused", "failed")).toBe("Failed");
  expect(name("refused", "unreachable")).toBe("Failed");
  expect(name("broken", "failed")).toBe("Broken off");
  expect(nameFailure({ state: "stopped", problem: null })).toBeNull();
});
