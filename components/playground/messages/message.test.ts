import { expect, test } from "bun:test";
import { createProblem } from "@/lib/console/gateway/problem";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { applyEvent, end, listOpenToolCalls, type Message, newCallState } from "./message";

const asked: Message = { id: "1", role: "assistant", text: "", call: newCallState("m", {}) };
const hearAll = (...events: ChatEvent[]) =>
  events.reduce((message, event, index) => applyEvent(message, event, (index + 1) * 100), asked);
const text = (words: string): ChatEvent => ({ type: "text", text: words });
const problem: ChatEvent = {
  type: "problem",
  problem: createProblem("failed", "torn", { requestId: "req_2" }),
};

test("an answer gathers its words, its end and its usage", () => {
  const heard = hearAll(
    { type: "start", requestId: "req_1", maxTokens: 12 },
    text("one "),
    text("two"),
    { type: "finish", reason: "stop" },
    { type: "usage", promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  );
  expect(end(heard, "finished", 900)).toMatchObject({
    text: "one two",
    call: {
      state: "finished",
      requestId: "req_1",
      loweredTo: 12,
      firstWordMs: 200,
      totalMs: 900,
      finishReason: "stop",
      usage: { promptTokens: 1, completionTokens: 2 },
    },
  });
});

test("a problem before the reply has begun refuses; after it, whatever has come, it breaks the answer off", () => {
  expect(hearAll(problem).call).toMatchObject({ state: "refused", requestId: "req_2" });
  const started: ChatEvent = { type: "start", requestId: "req_1", maxTokens: null };
  for (const begun of [started, text("one"), { type: "thinking", text: "hm" } satisfies ChatEvent])
    expect([begun.type, hearAll(begun, problem).call?.state]).toEqual([begun.type, "broken"]);
});

test("keeps the state of an ended message", () => {
  expect(end(hearAll(text("one"), problem), "stopped", 900).call?.state).toBe("broken");
});

const piece = (id: string | null, words: string, index = 0): ChatEvent => ({
  type: "tool_call",
  index,
  id,
  name: id && `tool ${id}`,
  arguments: words,
});
const callsFrom = (...pieces: ChatEvent[]) =>
  hearAll(...pieces).toolCalls?.map((call) => `${call.id} ${call.name} ${call.arguments}`);

test("tool calls wait until each is answered", () => {
  const message = hearAll(piece("a", "{}"), piece("b", "{}", 1));
  const answer: Message = { id: "2", role: "tool", toolCallId: "a", text: "" };
  expect(listOpenToolCalls([message]).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(listOpenToolCalls([message, answer]).map(({ id }) => id)).toEqual(["b"]);
});

test("tool calls are put together from their pieces, also where those of several calls alternate", () => {
  const whole = ['a tool a {"x":1}', 'b tool b {"y":2}'];
  const first = [piece("a", ""), piece(null, '{"x":'), piece(null, "1}")] as const;
  const second = [piece("b", "", 1), piece(null, '{"y":', 1), piece(null, "2}", 1)] as const;
  expect(callsFrom(...first, ...second)).toEqual(whole);
  const alternating = first.flatMap((one, at) => [one, second[at] ?? one]);
  expect(callsFrom(...alternating)).toEqual(whole);
});

test("tool calls of providers that give every piece the id, an empty one, or no index are told apart", () => {
  expect(callsFrom(piece("a", "{"), piece("a", "}"), piece("b", "{", 1), piece("b", "}", 1))).toEqual([
    "a tool a {}",
    "b tool b {}",
  ]);
  expect(callsFrom(piece("a", "{"), piece("", "}"), piece("b", "{", 1), piece("", "}", 1))).toEqual([
    "a tool a {}",
    "b tool b {}",
  ]);
  expect(callsFrom(piece("a", "{"), piece(null, "}"), piece("b", "{"), piece(null, "}"))).toEqual([
    "a tool a {}",
    "b tool b {}",
  ]);
});

test("a tool call without an id gets one", () => {
  const unnamed = { type: "tool_call", id: null, arguments: "{}" } as const;
  expect(
    callsFrom({ ...unnamed, index: 0, name: "first" }, { ...unnamed, index: 1, name: "second" }),
  ).toEqual(["call_0 first {}", "call_1 second {}"]);
});
