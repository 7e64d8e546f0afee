import { expect, test } from "bun:test";
import { plainProblem } from "@/lib/console/problem";
import type { ChatEvent } from "@/lib/console/stream-chat";
import { type Answer, end, hear, messagesOf, newAnswer, type Turn } from "./conversation";

const echo = { id: "sandbox-echo", isSandbox: true };
const failure = plainProblem("failed", "The provider failed.", { requestId: "req_2" });

function heard(...events: ChatEvent[]): Answer {
  return events.reduce((answer, event, index) => hear(answer, event, 100 * (index + 1)), newAnswer(echo));
}
function turn(prompt: string, ...events: ChatEvent[]): Turn {
  return { id: 1, prompt, answer: heard(...events) };
}

test("an answer grows word by word and keeps the time of its first", () => {
  const answer = end(
    heard(
      { type: "start", requestId: "req_1", maxTokens: 5 },
      { type: "text", text: "one " },
      { type: "text", text: "two" },
      { type: "finish", reason: "stop" },
      { type: "usage", promptTokens: 3, completionTokens: 2, totalTokens: 5 },
    ),
    "finished",
    700,
  );
  expect(answer).toMatchObject({
    state: "finished",
    text: "one two",
    requestId: "req_1",
    loweredTo: 5,
    usage: { promptTokens: 3, completionTokens: 2 },
    finishReason: "stop",
    firstWordMs: 200,
    totalMs: 700,
  });
});

test("a problem before the first word is a refusal with the request's id; after it, a broken answer that keeps its words", () => {
  expect(heard({ type: "problem", problem: failure })).toMatchObject({
    state: "refused",
    requestId: "req_2",
  });
  const broken = heard({ type: "text", text: "half" }, { type: "problem", problem: failure });
  expect(end(broken, "finished", 900)).toMatchObject({ state: "broken", text: "half", totalMs: 200 });
});

test("a stopped answer is not finished by its late end", () => {
  const stopped = end(heard({ type: "text", text: "half" }), "stopped", 300);
  expect(end(stopped, "finished", 900)).toMatchObject({ state: "stopped", totalMs: 300 });
});

test("what is sent leaves out turns that came to nothing, and an empty instruction", () => {
  const turns = [
    turn("refused", { type: "problem", problem: failure }),
    turn("asked", { type: "text", text: "answered" }),
  ];
  expect(messagesOf(" ", turns, "next").map(({ content }) => content)).toEqual(["asked", "answered", "next"]);
  expect(messagesOf("Be brief.", [], "next").map(({ role }) => role)).toEqual(["system", "user"]);
});
