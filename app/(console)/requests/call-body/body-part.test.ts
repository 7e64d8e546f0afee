import { expect, test } from "bun:test";
import { parseConversation } from "./body-part";

const json = JSON.stringify;

test("a conversation is read in order, with the answer last and non-text content beside it", () => {
  const request = json({
    messages: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: {} },
        ],
      },
    ],
  });
  const call = { type: "function", function: { name: "look", arguments: '{"at":1}' } };
  const reply = json({ choices: [{ message: { role: "assistant", content: null, tool_calls: [call] } }] });
  expect(parseConversation(request, reply)).toEqual([
    { role: "system", text: "Be kind.", besides: [] },
    { role: "user", text: "What is this?", besides: ["A part of type image_url"] },
    { role: "assistant", text: "", besides: ['Calls look with {"at":1}'] },
  ]);
});

test("Anthropic's system prompt, tools and tool results are read, too", () => {
  const request = json({
    system: [{ type: "text", text: "Be brief." }],
    messages: [
      { role: "assistant", content: [{ type: "tool_use", name: "find", input: { q: 1 } }] },
      { role: "user", content: [{ type: "tool_result", content: "nothing" }] },
    ],
  });
  expect(parseConversation(request, null)).toEqual([
    { role: "system", text: "Be brief.", besides: [] },
    { role: "assistant", text: "", besides: ['Calls find with {"q":1}'] },
    { role: "user", text: "", besides: ["Result of a tool: nothing"] },
  ]);
});

test("the items of a response are read, whoever answered it", () => {
  const request = json({
    instructions: "Be brief.",
    input: [
      { role: "user", content: [{ type: "input_text", text: "How is it?" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] },
      { type: "function_call", name: "weather", arguments: '{"city":"Bern"}' },
      { type: "function_call_output", output: "Rain" },
    ],
  });
  const output = [
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains" }] },
  ];
  const asked = [
    { role: "system", text: "Be brief.", besides: [] },
    { role: "user", text: "How is it?", besides: [] },
    { role: "assistant", text: "", reasoning: "Hm", besides: [] },
    { role: "assistant", text: "", besides: ['Calls weather with {"city":"Bern"}'] },
    { role: "tool", text: "Rain", besides: [] },
    { role: "assistant", text: "It rains", besides: [] },
  ];
  expect(parseConversation(request, json({ object: "response", output }))).toEqual(asked);
  const choices = [{ message: { role: "assistant", content: "It rains" } }];
  expect(parseConversation(request, json({ choices }))).toEqual(asked);
  expect(parseConversation(json({ input: "Hi" }), null)).toEqual([{ role: "user", text: "Hi", besides: [] }]);
});

test("a response that refuses, and one that doesn't show its reasoning, say so", () => {
  const output = [
    { type: "reasoning", summary: [], encrypted_content: "x" },
    { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I can’t." }] },
  ];
  expect(parseConversation(json({ input: [] }), json({ object: "response", output }))).toEqual([
    { role: "assistant", text: "", besides: ["Reasoning that isn’t shown"] },
    { role: "assistant", text: "I can’t.", besides: [] },
  ]);
});

test.each(["reasoning_content", "reasoning"])("the thinking under %s is shown", (name) => {
  const reply = json({ choices: [{ message: { role: "assistant", content: "42", [name]: "Let me see" } }] });
  expect(parseConversation(json({ messages: [] }), reply)).toEqual([
    { role: "assistant", text: "42", reasoning: "Let me see", besides: [] },
  ]);
});

test("shows no conversation for a cut or arbitrary body, and does not throw", () => {
  for (const request of [null, "", '{"messages": [{"role"', "[]", "null", json({ messages: "x" })])
    expect(parseConversation(request, null)).toBeNull();
  expect(parseConversation(json({ messages: [null, 1, { role: 2, content: [null] }] }), "null")).toHaveLength(
    3,
  );
});
