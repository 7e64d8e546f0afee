import { expect, test } from "bun:test";
import { createProblem } from "@/lib/console/gateway/problem";
import type { ChatEvent } from "@/lib/console/streaming/chat-event";
import { applyEvent, end, type Message, newCallState, openToolCalls } from "./message";

const asked: Message = { id: "1", role: "assistant", text: "", run: newCallState("m", {}) };
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
    run: {
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

test("a problem before the first word refuses; after it, it breaks the answer off", () => {
  expect(hearAll(problem).run).toMatchObject({ state: "refused", requestId: "req_2" });
  expect(hearAll(text("one"), problem).run).toMatchObject({ state: "broken", totalMs: 200 });
});

test("keeps the state of an ended message", () => {
  expect(end(hearAll(text("one"), problem), "stopped", 900).run?.state).toBe("broken");
});

test("tool calls are put together from their pieces, and wait until each is answered", () => {
  const piece = (id: string | null, words: string, index = 0): ChatEvent => ({
    type: "tool_call",
    index,
    id,
    name: id && `tool ${id}`,
    arguments: words,
  });
  const message = hearAll(piece("a", ""), piece(null, '{"x":'), piece(null, "1}"), piece("b", "{}", 1));
  expect(message.toolCalls).toEqual([
    { id: "a", name: "tool a", arguments: '{"x":1}' },
    { id: "b", name: "tool b", arguments: "{}" },
  ]);
  const answer: Message = { id: "2", role: "tool", toolCallId: "a", text: "" };
  expect(openToolCalls([message]).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(openToolCalls([message, answer]).map(({ id }) => id)).toEqual(["b"]);
});
