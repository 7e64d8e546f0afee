import { expect, test } from "bun:test";
import type { Attachment, Message } from "../messages/message";
import { defaultSettings, type Settings } from "../settings";
import { buildPreviewBody, callBody } from "./call-body";

const said = (role: Message["role"], text: string, more: Partial<Message> = {}): Message => ({
  id: text,
  role,
  text,
  ...more,
});
const tool = { type: "function", function: { name: "add", parameters: { type: "object" } } };
const picture: Attachment = { name: "a.png", mimeType: "image/png", kind: "image", data: "AAAA" };
const paper: Attachment = { name: "a.pdf", mimeType: "application/pdf", kind: "document", data: "BBBB" };
const notes: Attachment = { name: "a.txt", mimeType: "text/plain", kind: "text", data: "Note" };
const all: Settings = {
  ...defaultSettings,
  instruction: "Be brief.",
  temperature: "0.4",
  top_p: "0.9",
  max_tokens: "1,000",
  stop: "END\n###",
  seed: "7",
  presence_penalty: "1",
  frequency_penalty: "-1",
  reasoning_effort: "low",
  format: "schema",
  schema: '{"type":"object"}',
  tools: JSON.stringify([tool]),
  further: '{"logprobs":true}',
};

test("sends only the settings that are set", () => {
  expect(callBody("m", defaultSettings, [said("user", "Hi")])).toEqual({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
  });
});

test("sends each setting under its API name", () => {
  expect(callBody("m", all, [said("user", "Hi")])).toEqual({
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
    temperature: 0.4,
    top_p: 0.9,
    max_tokens: 1000,
    seed: 7,
    presence_penalty: 1,
    frequency_penalty: -1,
    stop: ["END", "###"],
    reasoning_effort: "low",
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: { type: "object" } },
    },
    tools: [tool],
    logprobs: true,
  });
});

const withTools = [
  said("user", "1 + 2?"),
  said("assistant", "", { toolCalls: [{ id: "c1", name: "add", arguments: '{"a":1}' }] }),
  said("tool", "3", { toolCallId: "c1" }),
];

test("tool calls and what they brought go back as they came", () => {
  expect(callBody("m", defaultSettings, withTools)).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "3" },
    ],
  });
});

test("attachments are sent with the text", () => {
  const body = callBody("m", defaultSettings, [
    said("user", "See", { attachments: [picture, paper, notes] }),
  ]);
  expect(body).toMatchObject({
    messages: [
      {
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" } },
          { type: "text", text: "a.txt:\n\nNote" },
        ],
      },
    ],
  });
});

test("an answer that never came is not sent on", () => {
  const messages = [said("user", "Hi"), said("assistant", "")];
  expect(callBody("m", defaultSettings, messages)).toMatchObject({ messages: [{ role: "user" }] });
});

test("sends the Messages API's own field names, and none that it lacks", () => {
  const messages = [said("user", "See", { attachments: [picture, paper] }), ...withTools.slice(1)];
  expect(callBody("m", { ...all, endpoint: "messages", further: "" }, messages)).toEqual({
    model: "m",
    max_tokens: 1000,
    system: "Be brief.",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: "BBBB" } },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "add", input: { a: 1 } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "3" }] },
    ],
    temperature: 0.4,
    top_p: 0.9,
    stop_sequences: ["END", "###"],
    tools: [{ name: "add", input_schema: { type: "object" } }],
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
  });
});

test("sends the Responses API's items, and no setting that it lacks", () => {
  const messages = [
    said("user", "See", { attachments: [picture, paper, notes] }),
    said("assistant", "Let me add.", { toolCalls: [{ id: "c1", name: "add", arguments: '{"a":1}' }] }),
    said("tool", "3", { toolCallId: "c1" }),
  ];
  const settings: Settings = { ...all, endpoint: "responses", reasoning_summary: "auto", further: "" };
  expect(callBody("m", settings, messages)).toEqual({
    model: "m",
    instructions: "Be brief.",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "See" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" },
          { type: "input_text", text: "a.txt:\n\nNote" },
        ],
      },
      { role: "assistant", content: "Let me add." },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c1", output: "3" },
    ],
    temperature: 0.4,
    top_p: 0.9,
    max_output_tokens: 1000,
    reasoning: { effort: "low", summary: "auto" },
    include: ["reasoning.encrypted_content"],
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: { type: "object" } } },
    tools: [{ type: "function", name: "add", parameters: { type: "object" }, strict: false }],
    store: false,
  });
  const stored = { ...settings, further: '{"store":true}' };
  expect(callBody("m", stored, messages)).toMatchObject({ store: true });
});

test("sealed reasoning of an answer is sent before what it led to, and other items are not", () => {
  const [thought, search] = [
    { type: "reasoning", summary: [], encrypted_content: "x" },
    { type: "web_search_call" },
  ];
  const items = [thought, search];
  const call = { id: "c1", name: "add", arguments: "{}" };
  const settings: Settings = { ...defaultSettings, endpoint: "responses" };
  const called = { type: "function_call", call_id: "c1", name: "add", arguments: "{}" };
  for (const [message, sent] of [
    [said("assistant", "3", { items }), [thought, { role: "assistant", content: "3" }]],
    [said("assistant", "", { items, toolCalls: [call] }), [thought, called]],
    [said("assistant", "", { items }), [{ role: "assistant", content: "" }]],
  ] as const)
    expect(callBody("m", settings, [message])).toMatchObject({ input: sent });
  expect(callBody("m", settings, [])).not.toHaveProperty("include");
});

test("a response is previewed as a chat, without what only responses know", () => {
  const settings: Settings = { ...all, endpoint: "responses", further: '{"tools":[{"type":"web_search"}]}' };
  const { logprobs: _, ...chat } = callBody("m", all, [said("user", "Hi")]) as Record<string, unknown>;
  expect(buildPreviewBody("m", settings, [said("user", "Hi")])).toEqual(chat);
});
