import { expect, test } from "bun:test";
import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { callBody } from "../calls/call-body";
import { restoreWorkbench } from "../conversations/restore-workbench";
import { toContent } from "../conversations/saved-content";
import type { Workbench } from "../workbench";
import { createWorkbenchFromCall, parseCallBody } from "./create-workbench-from-call";

function sentBy(workbench: Workbench | null) {
  const [pane] = workbench?.panes ?? [];
  return pane && workbench ? callBody(pane.model, workbench.shared, pane.messages) : null;
}

const again = (body: object, endpoint: ChatEndpoint = "chat_completions") =>
  sentBy(createWorkbenchFromCall(JSON.stringify(body), endpoint));

const find = { type: "object", properties: { q: { type: "string" } } };

test("an opened chat completion is sent again unchanged", () => {
  const body = {
    model: "m",
    messages: [
      { role: "system", content: "Be short." },
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: '{"q":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "A cat" },
    ],
    temperature: 0,
    presence_penalty: -0.5,
    max_tokens: 40,
    seed: 7,
    stop: ["END", "STOP"],
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: find } },
    tools: [{ type: "function", function: { name: "find", parameters: find } }],
    logit_bias: { 50256: -100 },
    user: "somebody",
  };
  expect(again(body)).toEqual(body);
  expect(again({ ...body, stream: true, stream_options: { include_usage: true } })).toEqual(body);
});

test("a picture that is wrapped in lines can be read, saved and restored; one that isn't base64 can't", () => {
  const open = (data: string, media_type = "image/png") => {
    const content = [{ type: "image", source: { type: "base64", media_type, data } }];
    const body = { model: "m", max_tokens: 40, messages: [{ role: "user", content }] };
    return parseCallBody(JSON.stringify(body), "messages", "exact");
  };
  const opened = open("AAAA\nAAAA\n");
  expect(opened && restoreWorkbench(toContent(opened) ?? {})).not.toBeNull();
  expect(open("AA<A")).toBeNull();
  expect(open("AAAA", 'image/"png')).toBeNull();
});

test("an opened call of the Messages API is sent again unchanged", () => {
  const body = {
    model: "m",
    max_tokens: 40,
    system: "Be short.",
    messages: [
      { role: "user", content: "Find it" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking" },
          { type: "tool_use", id: "c1", name: "find", input: { q: 1 } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "A cat" }] },
    ],
    temperature: 0.5,
    stop_sequences: ["END"],
    tools: [{ name: "find", input_schema: find }],
    thinking: { type: "enabled", budget_tokens: 1024 },
  };
  expect(again(body, "messages")).toEqual(body);
});

test("values that have no field are kept unchanged among the further parameters", () => {
  const odd = {
    stop: ["a\nb"],
    reasoning_effort: "extreme",
    response_format: { type: "json_schema", json_schema: { name: "mine", schema: find } },
    tools: [{ type: "custom" }],
    temperature: "hot",
    max_completion_tokens: 9,
  };
  const body = { model: "m", messages: [{ role: "user", content: "Hi" }], ...odd };
  expect(again(body)).toEqual(body);
});

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };
const textPart = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const cached = { cache_control: { type: "ephemeral" } };

test("the order of the parts, the detail of an image and the text of a file are kept", () => {
  const parts = [image, textPart("What is this?"), image, textPart("notes.txt:\n\nA cat:\n\nblack")];
  const body = { model: "m", messages: [{ role: "user", content: parts }] };
  expect(again(body)).toEqual(body);
});

test("tools and an instruction that are marked for a cache are kept among the further parameters", () => {
  const body = {
    model: "m",
    max_tokens: 40,
    system: [textPart("Be short.", cached)],
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ name: "find", input_schema: find, ...cached }],
  };
  expect(again(body, "messages")).toEqual(body);
});

test("an approximate reading leaves the marks out, so that the call can be estimated", () => {
  const body = {
    model: "m",
    max_tokens: 9,
    system: [textPart("Be short."), textPart("Be kind.", cached)],
    messages: [{ role: "user", content: [textPart("Hi", cached)] }],
    tools: [{ name: "find", input_schema: find, ...cached }],
  };
  expect(again(body, "messages")).toBeNull();
  const workbench = parseCallBody(JSON.stringify(body), "messages", "approximate");
  expect(workbench?.shared).toMatchObject({ instruction: "Be short.\n\nBe kind.", further: "" });
  expect(sentBy(workbench)).toMatchObject({
    messages: [{ role: "user", content: "Hi" }],
    tools: [{ name: "find", input_schema: find }],
  });
});

test("results of tools and what was written with them are sent in one turn again", () => {
  const result = { type: "tool_result", tool_use_id: "c1", content: "A cat" };
  const use = { type: "tool_use", id: "c1", name: "find", input: {} };
  const messages = [
    { role: "user", content: "Find it" },
    { role: "assistant", content: [use] },
    { role: "user", content: [result, textPart("Only cats")] },
  ];
  const body = { model: "m", max_tokens: 40, messages };
  expect(again(body, "messages")).toEqual(body);
});

test("opens an answer that a client sent back with its empty fields", () => {
  const answer = { role: "assistant", content: "Hello", refusal: null, annotations: [], tool_calls: null };
  const messages = [{ role: "user", content: [textPart("Hi")] }, answer, { role: "user", content: "And?" }];
  expect(again({ model: "m", messages, stop: "END" })).toEqual({
    model: "m",
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "And?" },
    ],
    stop: ["END"],
  });
});

test("does not open a call whose parts the playground would leave out or change", () => {
  const chat = (...messages: object[]) => again({ model: "m", messages });
  const hi = { role: "user", content: "Hi" };
  expect(chat({ ...hi, name: "Ada" })).toBeNull();
  expect(chat({ role: "user", content: [textPart("One"), textPart("Two")] })).toBeNull();
  expect(chat({ role: "user", content: [textPart("One", cached)] })).toBeNull();
  expect(chat(hi, { role: "assistant", content: null }, hi)).toBeNull();
  expect(chat(hi, { role: "assistant", content: "Yes", reasoning_content: "Hm" }, hi)).toBeNull();
  expect(chat(hi, { role: "assistant", content: null, audio: { id: "a1" } }, hi)).toBeNull();
  expect(chat({ role: "system", content: " " }, hi)).toBeNull();

  const message = (...messages: object[]) => again({ model: "m", max_tokens: 9, messages }, "messages");
  const result = { type: "tool_result", tool_use_id: "c1", content: "No cat" };
  expect(message({ role: "user", content: [result] })).not.toBeNull();
  expect(message({ role: "user", content: [{ ...result, is_error: true }] })).toBeNull();
  expect(message({ role: "user", content: [{ ...result, ...cached }] })).toBeNull();
  expect(message({ role: "user", content: [textPart("Look"), result] })).toBeNull();
});

test("does not open a call that can't be shown whole", () => {
  const createFrom = (message: object) =>
    createWorkbenchFromCall(JSON.stringify({ model: "m", messages: [message] }), "chat_completions");
  const remote = { type: "image_url", image_url: { url: "https://example.com/cat.png" } };
  expect(createFrom({ role: "user", content: [remote] })).toBeNull();
  expect(createFrom({ role: "user", content: [{ type: "input_audio" }] })).toBeNull();
  expect(createFrom({ role: "developer", content: "Be short." })).toBeNull();
  expect(createFrom({ role: "user" })).toBeNull();
  for (const text of [null, "", '{"model": "m", "mess', "[]", '{"model":"m"}', '{"model":1,"messages":[]}'])
    expect(createWorkbenchFromCall(text, "chat_completions")).toBeNull();
});

const flat = { type: "function", name: "find", description: "Finds.", parameters: find, strict: false };

test("a response opens with its items, its tools and its reasoning", () => {
  const body = {
    model: "m",
    instructions: "Be short.",
    input: [
      { role: "user", content: [{ type: "input_text", text: "Which?" }, picture] },
      { role: "assistant", content: "Let me look." },
      { type: "function_call", call_id: "c1", name: "find", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "find", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "A cat" },
      { type: "function_call_output", call_id: "c2", output: "" },
      { role: "user", content: "And?" },
    ],
    max_output_tokens: 40,
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "json_schema", name: "answer", strict: true, schema: find } },
    tools: [flat],
    store: false,
  };
  // It is sent again with its reasoning sealed.
  expect(again(body, "responses")).toEqual({ ...body, include: ["reasoning.encrypted_content"] });
  const workbench = createWorkbenchFromCall(JSON.stringify(body), "responses");
  expect(workbench?.shared).toMatchObject({ instruction: "Be short.", max_tokens: "40", further: "" });
  expect(workbench?.shared).toMatchObject({ reasoning_effort: "low", reasoning_summary: "auto" });
});

const picture = { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" };

test("an answer's items that a client sent back open without what only the gateway knows", () => {
  const part = { type: "output_text", text: "Hello", annotations: [], logprobs: [] };
  const answer = { type: "message", id: "msg_1", status: "completed", role: "assistant", content: [part] };
  const input = [{ role: "user", content: "Hi" }, answer, { role: "user", content: "And?" }];
  expect(again({ model: "m", input }, "responses")).toEqual({
    model: "m",
    input: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "And?" },
    ],
    store: false,
  });
  expect(again({ model: "m", input: "Hi", store: true }, "responses")).toEqual({
    model: "m",
    input: [{ role: "user", content: "Hi" }],
    store: true,
  });
});

test("what the settings have no field for stays among the further parameters of a response", () => {
  const odd = {
    reasoning: { effort: "xhigh" },
    text: { verbosity: "low", format: { type: "json_object" } },
    tools: [{ type: "web_search" }],
    store: false,
  };
  const body = { model: "m", input: [{ role: "user", content: "Hi" }], ...odd };
  expect(again(body, "responses")).toEqual(body);
  const { strict: _, ...loose } = flat;
  expect(again({ ...body, tools: [loose] }, "responses")).toEqual({ ...body, tools: [loose] });
});

test("a response that thought before opens with its reasoning, where it was", () => {
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
  const [hi, hello] = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
  ];
  const call = { type: "function_call", call_id: "c1", name: "find", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "A cat" };
  for (const input of [
    [hi, thought, hello, { role: "user", content: "And?" }],
    [hi, thought, hello, call, output, { ...thought, id: "rs_2" }, hello],
    [hi, hello, thought, call, output],
  ]) {
    const body = { model: "m", input, store: false };
    expect(again(body, "responses")).toEqual(body);
    const saved = toContent(createWorkbenchFromCall(JSON.stringify(body), "responses") as Workbench) ?? {};
    expect(sentBy(restoreWorkbench(saved))).toEqual(body);
  }
  expect(again({ model: "m", input: [hi, hello, thought] }, "responses")).toBeNull();
});

test("a response that has an unknown part, or goes on from another one, is not opened as another call", () => {
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
  const input = [{ role: "user", content: "Hi" }, thought, { type: "web_search_call", id: "ws_1" }];
  expect(again({ model: "m", input }, "responses")).toBeNull();
  input.pop();
  expect(parseCallBody(JSON.stringify({ model: "m", input }), "responses", "approximate")).not.toBeNull();
  expect(again({ model: "m", input: [{ role: "developer", content: "Hi" }] }, "responses")).toBeNull();
  expect(again({ model: "m", previous_response_id: "resp_1" }, "responses")).toBeNull();
});
