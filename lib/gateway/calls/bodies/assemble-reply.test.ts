import { expect, test } from "bun:test";
import { assembleReply } from "./assemble-reply";

const buildStream = (...events: (object | string)[]) =>
  Buffer.from(
    events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join(""),
  );
const delta = (fields: object, index = 0, finish: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index, delta: fields, finish_reason: finish }],
});

test("texts are joined, choice by choice, with why each ended and the usage", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const stream = buildStream(
    delta({ role: "assistant", content: "" }),
    delta({ content: "Hel" }),
    delta({ content: "Bon" }, 1),
    delta({ content: "lo" }),
    delta({ content: "jour" }, 1),
    delta({}, 0, "stop"),
    delta({}, 1, "length"),
    { id: "chatcmpl-1", object: "chat.completion.chunk", choices: [], usage },
    "[DONE]",
  );
  expect(assembleReply(stream)).toEqual({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "m",
    usage,
    choices: [
      { index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" },
      { index: 1, message: { role: "assistant", content: "Bonjour" }, finish_reason: "length" },
    ],
  });
});

test("calls of tools are put together by their index; ids and names are not joined", () => {
  const call = (fields: object) => delta({ tool_calls: [fields] });
  const stream = buildStream(
    call({ index: 0, id: "a", type: "function", function: { name: "find", arguments: "" } }),
    call({ index: 0, function: { arguments: '{"q":' } }),
    call({ index: 1, id: "b", type: "function", function: { name: "look", arguments: "{}" } }),
    call({ index: 0, id: "a", type: "function", function: { name: "find", arguments: "1}" } }),
  );
  const { choices } = assembleReply(stream) as { choices: { message: { tool_calls: object[] } }[] };
  expect(choices[0]?.message.tool_calls).toEqual([
    { index: 0, id: "a", type: "function", function: { name: "find", arguments: '{"q":1}' } },
    { index: 1, id: "b", type: "function", function: { name: "look", arguments: "{}" } },
  ]);
});

test("appends to the right tool call among tens of thousands, as fast as among a few", () => {
  const calls = Array.from({ length: 300_000 }, (_, index) => ({ index }));
  const stream = buildStream(delta({ tool_calls: calls }), delta({ tool_calls: [{ index: 7, id: "a" }] }));
  const { choices } = assembleReply(stream) as { choices: { message: { tool_calls: object[] } }[] };
  expect(choices[0]?.message.tool_calls).toHaveLength(calls.length);
  expect(choices[0]?.message.tool_calls[7]).toEqual({ index: 7, id: "a" });
});

test("an error that ended it is stored with the earlier content, and a cut event is left out", () => {
  const stream = Buffer.concat([
    buildStream(delta({ content: "Half" }), { error: { code: "provider_error" } }),
    Buffer.from('data: {"choices": [{"del'),
  ]);
  expect(assembleReply(stream)).toMatchObject({
    error: { code: "provider_error" },
    choices: [{ message: { content: "Half" } }],
  });
});

test("changes only this reply, for any reply of a provider", () => {
  const hostile =
    '{"choices": [{"index": 0, "delta": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}]}';
  assembleReply(buildStream(hostile, hostile));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  for (const odd of [
    "[]",
    "1",
    '"text"',
    "null",
    "{",
    '{"choices": 1}',
    '{"choices": [null, 1, {"index": "x"}]}',
  ])
    expect(() => assembleReply(buildStream(odd))).not.toThrow();
  expect(assembleReply(Buffer.from("no events"))).toBeNull();
});

test("a transcript has the text of its last event, or what came before it broke off", () => {
  const deltas = ["Hel", "lo"].map((text) => ({ type: "transcript.text.delta", delta: text }));
  const usage = { type: "tokens", input_tokens: 4, output_tokens: 2 };
  const done = { type: "transcript.text.done", text: "Hello.", usage };
  expect(assembleReply(buildStream(...deltas, done))).toEqual({ text: "Hello.", usage });
  expect(assembleReply(buildStream(...deltas))).toEqual({ text: "Hello" });
});
