import { createProblem, type Problem } from "@/lib/console/gateway/problem";
import { isObject, parseJson } from "@/lib/contract/json-value";

const notTheConsole = createProblem(
  "unreachable",
  "Something other than the console answered, such as a proxy in front of it. Wait a moment, then try again.",
);

/** The reply of one of the console's routes, from its text. Any other text is a problem, too. */
export function readConsoleReply<Data>(
  text: string,
): { readonly data: Data } | { readonly problem: Problem } {
  const body = parseObject(text);
  return "data" in body ? { data: body.data as Data } : { problem: readConsoleProblem(text) };
}

/** The problem in a refusal by one of the console's routes, from its text. */
export function readConsoleProblem(text: string): Problem {
  const { problem } = parseObject(text) as { problem?: Partial<Problem> | null };
  return typeof problem?.code === "string" ? (problem as Problem) : notTheConsole;
}

function parseObject(text: string): object {
  const body = parseJson(text);
  return isObject(body) ? body : {};
}
