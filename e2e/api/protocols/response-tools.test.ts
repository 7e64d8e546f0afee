import { beforeEach, describe, expect, test } from "bun:test";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { createResponse } from "../../support/protocols/ask-response";
import { type Protocols, type ProviderName, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

type Fields = Record<string, unknown>;
const usage = { prompt: 10, cached: 0, written: 0, written1h: 0, completion: 5, reasoning: 0 };
const hello = { role: "user", content: "Hi" };
const model = "openai";

const namesOf = (provider: ProviderName) =>
  (served.readSent(provider).tools as { name?: string; function?: { name: string } }[] | undefined)?.map(
    (tool) => tool.function?.name ?? tool.name,
  );
const ask = async (body: Fields, isStream = true) =>
  createResponse(served.gateway, { model, input: [hello], ...body }, isStream);
const refuse = (body: Fields) => {
  const client = officialClient(served.gateway.baseUrl, served.gateway.key);
  return catchRefusal(client.responses.create({ model, input: [hello], ...body } as never));
};

/** Tools as Codex and other agents send them. */
const tools = [
  { type: "function", name: "weather", parameters: { type: "object", properties: {} }, strict: false },
  {
    type: "custom",
    name: "patch",
    description: "Edits files.",
    format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
  },
  {
    type: "namespace",
    name: "files",
    description: "Of the project",
    tools: [{ type: "function", name: "read", parameters: { type: "object", properties: {} } }],
  },
  { type: "local_shell" },
  { type: "apply_patch" },
  { type: "web_search" },
];

describe.each(["openai", "gemini", "anthropic"] as const)("tools at %s", (provider) => {
  beforeEach(() =>
    served.answerWith(provider, {
      calls: [
        { name: "weather", input: { city: "Bern" } },
        { name: "patch", input: { input: "x\ny" } },
        { name: "files__read", input: { path: "a" } },
        { name: "local_shell", input: { command: ["ls"] } },
        { name: "apply_patch", input: { type: "delete_file", path: "a" } },
      ],
      end: "calls",
      usage,
    }),
  );

  test("are called by their own names and in their own items, and their results go back in one turn", async () => {
    const { response, headers } = await ask({ model: provider, tools });
    expect(namesOf(provider)).toEqual(["weather", "patch", "files__read", "local_shell", "apply_patch"]);
    expect(JSON.stringify(served.readSent(provider).tools)).toContain("lark grammar");
    expect(headers.get("x-gatehouse-tools-left-out")).toBe("web_search");
    const output = response.output as unknown as Fields[];
    const unnamed = output.map((item): Fields => ({ ...item, id: undefined, call_id: undefined }));
    expect(unnamed).toEqual([
      { type: "function_call", status: "completed", name: "weather", arguments: '{"city":"Bern"}' },
      { type: "custom_tool_call", status: "completed", name: "patch", input: "x\ny" },
      {
        type: "function_call",
        status: "completed",
        name: "read",
        namespace: "files",
        arguments: '{"path":"a"}',
      },
      { type: "local_shell_call", status: "completed", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "apply_patch_call", status: "completed", operation: { type: "delete_file", path: "a" } },
    ]);
    const [first, second, third, shell, patch] = output.map(({ call_id }) => call_id);
    served.answerWith(provider, { text: "Done", end: "end", usage });
    const results = [
      { type: "function_call_output", call_id: first, output: "Rain" },
      { type: "custom_tool_call_output", call_id: second, output: "Edited" },
      { type: "local_shell_call_output", id: shell, output: "a.txt" },
      {
        type: "function_call_output",
        call_id: third,
        output: [
          { type: "input_text", text: "A picture" },
          { type: "input_image", image_url: "data:image/png;base64,iVBORw0" },
        ],
      },
      { type: "apply_patch_call_output", call_id: patch, status: "failed", output: "No such file" },
    ];
    await ask({ model: provider, tools, input: [hello, ...output, ...results] }, false);
    const sent = JSON.stringify(served.readSent(provider).messages);
    for (const word of ["Rain", "Edited", "a.txt", "A picture", "iVBORw0", "The tool failed.\\nNo such file"])
      expect(sent).toContain(word);
    expect(sent).not.toContain("earlier tool call");
    expect(sent).not.toContain("gave no result");
  });
});

test("a function without arguments is called with an empty object", async () => {
  const call = { id: "c", type: "function", function: { name: "weather", arguments: "" } };
  served.chat.openai.answerWith(() => ({ message: { tool_calls: [call] }, finish_reason: "tool_calls" }));
  const { response } = await ask({ tools });
  expect(response.output).toMatchObject([{ arguments: "{}" }]);
});

test("calls whose pieces alternate are written one after another", async () => {
  const piece = (index: number, fields: Fields) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...fields }] } }] })}\n\n`;
  const begin = (index: number) =>
    piece(index, { id: `c${index}`, type: "function", function: { name: "weather", arguments: '{"a":' } });
  const end = (index: number) => piece(index, { function: { arguments: `${index}}` } });
  const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n';
  served.chat.openai.answerWith(
    () =>
      new Response(begin(0) + begin(1) + end(1) + end(0) + last, {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  const { response } = await ask({ tools });
  expect(response.output).toMatchObject([
    { call_id: "c0", arguments: '{"a":0}' },
    { call_id: "c1", arguments: '{"a":1}' },
  ]);
});

test("only allowed tools are sent, and a tool may be forced", async () => {
  served.answerWith(model, { text: "Hello", end: "end", usage });
  const allowed = (mode: string) => ({
    type: "allowed_tools",
    mode,
    tools: [{ type: "function", name: "weather" }],
  });
  const { response } = await ask({ tools, tool_choice: allowed("required") });
  expect(namesOf(model)).toEqual(["weather"]);
  expect(served.readSent(model).tool_choice).toBe("required");
  expect(response.tool_choice).toEqual(allowed("required") as never);
  expect(response.tools).toHaveLength(tools.length);
  await ask({ tools, tool_choice: { type: "custom", name: "patch" } });
  expect(served.readSent(model).tool_choice).toEqual({ type: "function", function: { name: "patch" } });
});

test("a tool that the provider can't run is refused where it is forced, or the only one", async () => {
  const cases: readonly [Fields, string, string][] = [
    [{ tools: [{ type: "web_search" }] }, "unsupported_tool", "tools"],
    [{ tools, tool_choice: { type: "web_search" } }, "unsupported_tool", "tool_choice"],
    [
      { tools, tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }] } },
      "unsupported_tool",
      "tool_choice",
    ],
    [{ tools, tool_choice: { type: "function", name: "none" } }, "invalid_value", "tool_choice"],
  ];
  for (const [body, code, param] of cases) {
    const refusal = await refuse(body);
    expect([refusal.status, refusal.code, refusal.param]).toEqual([400, code, param]);
  }
});

test("the form of an answer, its length and its caching go by the names of chats", async () => {
  served.answerWith("reasoning", { text: "{}", end: "end", usage });
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const { headers } = await ask({
    model: "reasoning",
    text: { format: { type: "json_schema", name: "answer", schema, strict: true }, verbosity: "low" },
    reasoning: { effort: "low" },
    prompt_cache_key: "session",
    client_metadata: { a: "b" },
    metadata: { team: "blue" },
    max_output_tokens: 99,
  });
  expect(served.readSent("reasoning")).toMatchObject({
    response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
    verbosity: "low",
    reasoning_effort: "low",
    prompt_cache_key: "session",
    max_completion_tokens: 99,
  });
  expect(headers.get("x-gatehouse-left-out")).toBe("client_metadata");
});

test("a hint that a server doesn't know is left out at the second try", async () => {
  served.chat.openai.answerWith(({ body }) =>
    "prompt_cache_key" in body
      ? Response.json({ error: { message: "Unknown field: prompt_cache_key" } }, { status: 400 })
      : { message: { content: "Hello" } },
  );
  const { response, headers } = await ask({ prompt_cache_key: "session" });
  expect(response.status).toBe("completed");
  const { attempts } = await readReceipt(served.gateway, headers.get("x-request-id"));
  expect(attempts.map(({ left_out }) => left_out)).toEqual([[], ["prompt_cache_key"]]);
});

test("a refusal that is no text is a part of its own", async () => {
  served.chat.openai.answerWith(() => ({ message: { refusal: "I can't" } }));
  for (const isStream of [false, true]) {
    const { response } = await ask({}, isStream);
    expect(response.output).toMatchObject([{ content: [{ type: "refusal", refusal: "I can't" }] }]);
  }
});

test("a stream that breaks off ends with the error, and with the response that failed", async () => {
  const chunk = { choices: [{ index: 0, delta: { content: "Hel" } }] };
  served.chat.openai.answerWith(
    () =>
      new Response(`data: ${JSON.stringify(chunk)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  const reply = await fetch(`${served.gateway.baseUrl}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${served.gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input: "Hi", stream: true }),
  });
  const text = await reply.text();
  const events = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data ?? "{}"),
  }));
  for (const { name, data } of events) expect(data.type).toBe(name);
  expect(events.slice(-2)).toMatchObject([
    { name: "error", data: { code: "provider_error" } },
    { name: "response.failed", data: { response: { status: "failed", error: { code: "provider_error" } } } },
  ]);
  expect(text).toEndWith("data: [DONE]\n\n");
});

test("a strict tool goes to a provider of messages without what names its schema's dialect", async () => {
  served.answerWith("anthropic", { text: "Hello", end: "end", usage });
  const parameters = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  };
  await ask({ model: "anthropic", tools: [{ type: "function", name: "weather", parameters, strict: true }] });
  const { $schema: _dialect, ...input_schema } = parameters;
  expect(served.readSent("anthropic").tools).toEqual([{ name: "weather", strict: true, input_schema }]);
});
