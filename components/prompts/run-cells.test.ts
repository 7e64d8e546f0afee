import { expect, test } from "bun:test";
import { type CallState, type Message, newCallState } from "@/components/playground/messages/message";
import { createProblem } from "@/lib/console/gateway/problem";
import type { PromptResult } from "@/lib/contract/operations/playground/prompt-runs";
import type { PromptContent } from "@/lib/contract/operations/playground/prompts";
import { buildCallBody, listCells, runCells, type SendCell } from "./run-cells";
import { formatRunAsCsv, summarize } from "./summarize-run";

const content = (text: string): PromptContent => ({
  endpoint: "chat_completions",
  body: { messages: [{ role: "user", content: text }] },
});
const cases = Array.from({ length: 6 }, (_, index) => ({
  variables: { name: `N${index}` },
  checks: [{ type: "contains" as const, text: "N1" }],
}));
const cells = listCells(cases, [{ number: 1, content: content("Hi {{name}}") }], ["m"]);

function buildAnswer(text: string, fields: Partial<CallState> = {}): Message {
  const ended = {
    ...newCallState("m", {}),
    state: "finished" as const,
    requestId: "req_1",
    totalMs: 20.4,
    ...fields,
  };
  return { id: "one", role: "assistant", text, call: ended };
}

function run(send: SendCell, signal = new AbortController().signal) {
  const results: PromptResult[] = [];
  const charge = async () => "0.5";
  const onResult = (result: PromptResult) => results.push(result);
  return { results, ended: runCells(cells, { send, charge, onResult, signal }) };
}

test("every case is sent filled in, at most four at once, and its answer is checked", async () => {
  let [open, most] = [0, 0];
  const { results, ended } = run(async (_, body) => {
    most = Math.max(most, ++open);
    await Promise.resolve();
    open--;
    return buildAnswer(String((body.messages as { content: string }[])[0]?.content));
  });
  await ended;
  expect(most).toBe(4);
  expect(results.map(({ answer }) => answer).toSorted()).toEqual(cases.map((_, index) => `Hi N${index}`));
  expect(results.filter(({ checks }) => checks[0] === null).map((one) => one.case)).toEqual([1]);
  expect(results[0]).toMatchObject({ amount: "0.5", duration_ms: 20, state: "finished" });
  expect(buildCallBody(cells[0] as never)).toEqual({
    model: "m",
    messages: [{ role: "user", content: "Hi N0" }],
  });
});

test("a refused call names the check that refused it, costs nothing and passes no check", async () => {
  const limit = { field: "max_requests_per_1_minute", max: 1, used: 1, requested: 1 } as never;
  const problem = {
    ...createProblem("failed", "Too many"),
    code: "rate_limited",
    limit,
    retryAfterSeconds: 1,
  };
  const { results, ended } = run(async () =>
    buildAnswer("", { state: "refused", problem: problem as CallState["problem"] }),
  );
  await ended;
  expect(results[0]).toMatchObject({
    state: "refused",
    amount: null,
    problem: { check: "max_requests_per_1_minute", message: "Too many" },
    checks: ["There is no whole answer"],
  });
});

test("a case that would make the prompt too long is refused, and the others are sent", async () => {
  const long = [
    { variables: { name: "x".repeat(20_000) }, checks: [] },
    { variables: { name: "a" }, checks: [] },
  ];
  const results: PromptResult[] = [];
  await runCells(listCells(long, [{ number: 1, content: content("{{name}}".repeat(1_000)) }], ["m"]), {
    send: async () => buildAnswer("sent"),
    charge: async () => null,
    onResult: (result) => results.push(result),
    signal: new AbortController().signal,
  });
  expect(results.map(({ case: caseIndex, state }) => [caseIndex, state]).toSorted()).toEqual([
    [0, "refused"],
    [1, "finished"],
  ]);
  expect(results.find(({ state }) => state === "refused")?.problem?.message).toContain("longer than");
});

test("after a stop no call begins, and calls under way are recorded as stopped", async () => {
  const stopping = new AbortController();
  const { results, ended } = run(
    (_cell, _body, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(buildAnswer("half", { state: "stopped" })));
      }),
    stopping.signal,
  );
  stopping.abort();
  await ended;
  expect(results.map(({ state, answer }) => [state, answer])).toEqual(
    Array.from({ length: 4 }, () => ["stopped", "half"]),
  );
});

test("a run with a call that can't be made ends with that error, once the calls under way have ended; none begins after it", async () => {
  const held = Promise.withResolvers<Message>();
  let sent = 0;
  const { results, ended } = run((cell) => {
    sent++;
    return cell.caseIndex === 0 ? Promise.reject(new Error("Failed to load")) : held.promise;
  });
  const error = ended.catch((reason: Error) => reason.message);
  await new Promise((resolve) => setImmediate(resolve));
  expect(results).toEqual([]);
  held.resolve(buildAnswer("N1"));
  expect(await error).toBe("Failed to load");
  expect([sent, results.length]).toEqual([4, 3]);
});

test("a run comes to its sums by version and model, and to a line of CSV for each call", async () => {
  const { results, ended } = run(async (cell) =>
    cell.caseIndex === 5
      ? buildAnswer("", { state: "refused" })
      : buildAnswer(`=${cell.asked.variables.name}`),
  );
  await ended;
  const whole = { versions: [1], models: ["m"], cases, currency: "USD", results } as never;
  expect(summarize(whole, results)).toEqual([
    {
      version: 1,
      model: "m",
      calls: 6,
      passed: 1,
      failed: 4,
      unanswered: 1,
      amount: "2.50",
      medianMs: 20,
    },
  ]);
  const [head = "", first = "", ...rest] = formatRunAsCsv(whole, results).split("\r\n");
  expect(head).toStartWith("case,model,prompt_version,state,passed,refused_by");
  expect(head).toEndWith("variable_name,answer");
  // Text that a spreadsheet would run as a formula is escaped.
  expect(first).toEndWith("N0,'=N0");
  expect(rest).toHaveLength(6);
});
