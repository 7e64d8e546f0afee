import { expect, test } from "bun:test";
import { describeBody } from "./describe-body";

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
