import { afterEach, expect, spyOn, test } from "bun:test";
import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
import { createProblem, ProblemError } from "@/lib/console/gateway/problem";
import { describeConsoleFailure } from "./fetch-read";

const reported = spyOn(globalThis, "reportError").mockImplementation(() => {});
afterEach(() => void reported.mockClear());

const runtime = ["none", "call", "change", "repeatable change"] as const;
const lost = new TypeError("Failed to fetch");

test("a lost reply doesn't claim that nothing was saved, and says what is safe to do next", () => {
  for (const effect of ["change", "repeatable change"] as const) {
    const { code, message } = describeConsoleFailure(lost, effect);
    expect(code).toBe("unreachable");
    expect(message).toContain("may have been saved");
    expect(message).not.toMatch(/nothing/i);
  }
  const wordsFor = (effect: (typeof runtime)[number]) => describeConsoleFailure(lost, effect).message;
  expect(wordsFor("repeatable change")).toContain("send this again: it is saved only once");
  expect(wordsFor("change")).toContain("reload the page to see it before you try again");
  expect(wordsFor("call")).toContain("may have been made and charged");
  expect(wordsFor("none")).not.toContain("saved");
  expect(reported).not.toHaveBeenCalled();
});

test("a page of an earlier deployment says that it has to be reloaded, not that the connection failed", () => {
  for (const effect of runtime) {
    const { code, message } = describeConsoleFailure(new UnrecognizedActionError("not found"), effect);
    // "unreachable" would be tried again.
    expect(code).toBe("refused");
    expect(message).toContain("has been updated");
    expect(message).toContain("Reload the page and try again.");
    expect(message).not.toContain("connection");
  }
  expect(reported).not.toHaveBeenCalled();
});

test("a problem that the console told is passed on", () => {
  const problem = createProblem("not_found", "There is none.");
  expect(describeConsoleFailure(new ProblemError(problem), "none")).toBe(problem);
});

test("what isn't about the connection is reported", () => {
  const error = new Error("An unexpected response was received from the server.");
  expect(describeConsoleFailure(error, "change").message).toContain("may have been saved");
  expect(reported).toHaveBeenCalledWith(error);
});
