import { expect, test } from "bun:test";
import { createProblem } from "@/lib/console/gateway/problem";
import { readConsoleProblem, readConsoleReply } from "./fetch-read";

test("what the console answers is read: the data, even if it is null, or the problem", () => {
  expect(readConsoleReply<null>('{"data":null}')).toEqual({ data: null });
  const problem = createProblem("not_found", "There is none.");
  expect(readConsoleReply(JSON.stringify({ problem }))).toEqual({ problem });
});

test.each([
  ["a page", "<html>502 Bad Gateway</html>"],
  ["another JSON", '{"message":"Too many requests"}'],
  ["a list", "[]"],
  ["nothing", ""],
  ["null", "null"],
  ["a problem without a code", '{"problem":null}'],
])("%s of a proxy in front of the console is a problem, and never breaks the screen", (_what, text) => {
  const { code, message } = readConsoleProblem(text);
  expect([code, message]).toEqual(["unreachable", expect.stringContaining("a proxy in front of it")]);
  expect(readConsoleReply(text)).toEqual({ problem: expect.objectContaining({ code, message }) });
});
