import { expect, test } from "bun:test";
import { Redactions } from "../../log/bodies/redactions";
import { describeBody, prepareStoredBody } from "./describe-body";

test("a response is described by its items, without their texts", () => {
  const request = {
    instructions: "Be brief",
    max_output_tokens: 50,
    tools: [{ type: "function", name: "weather" }, { type: "web_search" }],
    input: [
      { role: "user", content: [{ type: "input_text", text: "How" }, { type: "input_image" }] },
      { type: "function_call_output", output: "Rain" },
    ],
  };
  const reply = {
    object: "response",
    status: "completed",
    output: [{ type: "message" }, { type: "function_call", name: "weather" }],
  };
  expect(describeBody({ value: request, size: 9 }, { value: reply, size: 8 })).toEqual({
    request_bytes: 9,
    reply_bytes: 8,
    parameters: { max_output_tokens: 50 },
    tools: ["weather", "web_search"],
    messages: [
      { role: "system", messages: 1, bytes: 8, parts: [] },
      { role: "user", messages: 1, bytes: 3, parts: ["input_image"] },
      { role: "function_call_output", messages: 1, bytes: 4, parts: [] },
    ],
    choices: 1,
    finish_reasons: ["completed"],
    tool_calls: ["weather"],
  });
  expect(describeBody({ value: { input: "Hello" }, size: 1 }, null).messages).toEqual([
    { role: "user", messages: 1, bytes: 5, parts: [] },
  ]);
});

const toStoredBody = (text: string) => ({
  begin: new Uint8Array(Buffer.from(text)),
  size: Buffer.byteLength(text),
});

test.each([
  ["in a reply", false, (deep: string) => `{"choices": ${deep}}`],
  ["in the events of one", true, (deep: string) => `data: {"choices": [{"delta": ${deep}}]}\n\n`.repeat(2)],
])(
  "what a provider nests deeper than the stack is costs the answer's text alone: %s",
  (_, isStream, said) => {
    const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
    const draft = {
      requestId: "req_1",
      projectId: "proj_1",
      atMs: 0,
      mode: "whole" as const,
      redactions: ["x"],
      request: toStoredBody('{"messages": [{"role": "user", "content": "x"}]}'),
      reply: toStoredBody(said(deep)),
      isStream,
    };
    expect(prepareStoredBody(draft, new Redactions(draft.redactions)).texts).toMatchObject({
      request: { text: '{"messages":[{"role":"user","content":"[redacted]"}]}' },
      reply: { text: null },
    });
  },
);
