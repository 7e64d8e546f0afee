import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import * as z from "zod/mini";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { openResponseSocket } from "../../support/protocols/open-response-socket";
import { readWholeEvents, wholeCompaction, wholeResponse } from "../../support/protocols/response-schema";
import { type AnthropicServer, startAnthropicServer } from "../../support/servers/anthropic-server";
import { type OpenaiServer, startOpenaiServer } from "../../support/servers/openai-server";
import { type ResponsesServer, startResponsesServer } from "../../support/servers/responses-server";

/*
 * What the compliance suite of the Open Responses specification asks for, with a provider of each protocol.
 */
type Fields = Record<string, unknown>;

let chat: OpenaiServer;
let native: ResponsesServer;
let anthropic: AnthropicServer;
let gateway: ServedGateway;

beforeAll(async () => {
  [chat, native, anthropic] = [startOpenaiServer(), startResponsesServer(), startAnthropicServer()];
  gateway = await serveGateway({ config: writeConfiguration(), isExpectedFault: isProviderFault });
});
beforeEach(() => {
  for (const { visits } of [chat, native, anthropic]) visits.length = 0;
  chat.answerWith(() => ({ message: { content: "Hello" } }));
  native.answerWith(() => ({ output: [message()] }));
  anthropic.answerWith(() => ({ content: [{ type: "text", text: "Hello" }] }));
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([chat, native, anthropic].map((server) => server.stop()));
});

const message = (others: Fields = {}) => ({
  id: "msg_theirs",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hello", annotations: [], logprobs: [] }],
  ...others,
});

function writeConfiguration(): string {
  const openai = { kind: "openai", preset: "openai", api_key: "sk-upstream", circuit: false };
  const price = { input_per_1m: "5", output_per_1m: "25" };
  const model = { family: "chat", rate: "1", max_output_tokens: 16_000, price };
  return JSON.stringify({
    providers: [
      { ...openai, id: "chat", base_url: chat.baseUrl, protocols: ["chat"] },
      { ...openai, id: "native", base_url: native.baseUrl },
      {
        ...openai,
        id: "anthropic",
        base_url: anthropic.baseUrl,
        preset: "anthropic",
        api_key: "sk-ant-upstream",
      },
    ],
    models: ["chat", "native", "anthropic"].map((id) => ({
      ...model,
      id,
      routes: [{ provider: id, model: id === "anthropic" ? "claude-sonnet-4-5" : "gpt" }],
    })),
  });
}

const post = (path: string, body: Fields) =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

async function create(body: Fields) {
  const reply = await post("/responses", body);
  expect(reply.status).toBe(200);
  return z.parse(wholeResponse, await reply.json());
}

async function stream(body: Fields) {
  const text = await (await post("/responses", { ...body, stream: true })).text();
  const parts = text.split("\n\n").filter(Boolean);
  expect(parts.pop()).toBe("data: [DONE]");
  const events = parts.map((part) => {
    const [name = "", data = ""] = part.split("\n");
    const event = JSON.parse(data.replace(/^data: /, "")) as Fields;
    expect(name).toBe(`event: ${event.type}`);
    return event;
  });
  return { events, response: readWholeEvents(events) };
}

const said = (role: string, content: unknown, others: Fields = {}) => ({
  type: "message",
  role,
  content,
  ...others,
});
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather at a place",
  parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
};

/** What each provider is asked for, and what of it has to arrive there. */
const requests: readonly [name: string, input: unknown, sent: readonly string[]][] = [
  ["a text", [said("user", "Say hello")], ["Say hello"]],
  [
    "a system message",
    [said("system", "Talk like a pirate"), said("user", "Hi")],
    ["Talk like a pirate", "Hi"],
  ],
  [
    "phases of an assistant's messages",
    [
      said("assistant", "I look it up", { phase: "commentary" }),
      said("assistant", "It is four", { phase: "final_answer" }),
      said("user", "Repeat it"),
    ],
    ["I look it up", "It is four", "Repeat it"],
  ],
  [
    "several turns",
    [said("user", "I am Ada"), said("assistant", "Hello Ada"), said("user", "Who am I?")],
    ["I am Ada", "Hello Ada", "Who am I?"],
  ],
  [
    "a picture",
    [
      said("user", [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url: PICTURE },
      ]),
    ],
    ["What is this?", PICTURE.slice(-40)],
  ],
];

const readSent = () =>
  [chat, native, anthropic].flatMap(({ visits }) => visits.slice(-1).map(({ text }) => text)).join();

describe.each(["chat", "native", "anthropic"])("with a provider of %s,", (model) => {
  test.each(requests)("%s is answered, whole and streamed", async (_, input, sent) => {
    expect(await create({ model, input })).toMatchObject({ status: "completed", model });
    const { response } = await stream({ model, input });
    expect(response.status).toBe("completed");
    for (const words of sent) expect(readSent()).toContain(words);
  });

  test("a tool is called, whole and streamed, and its result is taken", async () => {
    const [name, place] = ["get_weather", '{"place":"Bern"}'];
    chat.answerWith(({ body: { messages } }) =>
      messages.some(({ role }) => role === "tool")
        ? { message: { content: "Sunny" } }
        : {
            message: {
              tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: place } }],
            },
            finish_reason: "tool_calls",
          },
    );
    anthropic.answerWith(({ body }) =>
      JSON.stringify(body).includes("tool_result")
        ? { content: [{ type: "text", text: "Sunny" }] }
        : {
            content: [{ type: "tool_use", id: "toolu_1", name, input: JSON.parse(place) }],
            stop_reason: "tool_use",
          },
    );
    const call = {
      id: "fc_1",
      type: "function_call",
      status: "completed",
      call_id: "call_1",
      name,
      arguments: place,
    };
    native.answerWith(({ text }) => ({ output: [text.includes("function_call_output") ? message() : call] }));
    const asked = { model, input: [said("user", "How is the weather?")], tools: [weather] };
    const whole = await create(asked);
    const { events, response } = await stream(asked);
    for (const { output, tools } of [whole, response]) {
      expect(output).toMatchObject([{ type: "function_call", name, arguments: place }]);
      expect(tools).toMatchObject([{ type: "function", name }]);
    }
    const types = events.map(({ type }) => type);
    for (const type of [
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
    ])
      expect(types).toContain(`response.${type}`);
    const [made] = response.output as unknown as Fields[];
    const result = { type: "function_call_output", call_id: made?.call_id, output: "Sunny" };
    const ended = await create({ ...asked, input: [...asked.input, made, result] });
    expect(ended.output).toMatchObject([{ type: "message" }]);
  });

  test("a conversation is compacted, and gone on from over a WebSocket", async () => {
    const input = [said("user", "We launch on Tuesday"), said("assistant", "Noted")];
    const reply = await post("/responses/compact", { model, input, prompt_cache_key: "launch" });
    const { output } = z.parse(wholeCompaction, await reply.json());
    expect(output).toHaveLength(1);
    const nothing = await post("/responses/compact", { input });
    expect(nothing.status).toBe(400);
    const socket = await openResponseSocket(gateway);
    const continued = { model, store: false, input: [...output, said("user", "When?")], tools: [] };
    expect(readWholeEvents(await socket.create(continued)).status).toBe("completed");
    for (const words of ["Hello", "When?"]) expect(readSent()).toContain(words);
    socket.close();
  });

  test("responses come over a WebSocket, and go on from one another", async () => {
    const socket = await openResponseSocket(gateway);
    const first = readWholeEvents(await socket.create({ model, input: [said("user", "Count to 3")] }));
    expect(first.status).toBe("completed");
    const told = readWholeEvents(await socket.create({ model, store: false, input: "The word is cobalt" }));
    const next = { model, store: false, previous_response_id: told.id };
    const continued = readWholeEvents(await socket.create({ ...next, input: "Which word?" }));
    expect(continued).toMatchObject({ status: "completed", previous_response_id: told.id });
    for (const words of ["The word is cobalt", "Which word?"]) expect(readSent()).toContain(words);
    socket.close();
  });

  test("what can't be gone on from is told, and a new conversation begins on the same WebSocket", async () => {
    const [first, second] = [await openResponseSocket(gateway), await openResponseSocket(gateway)];
    const { id } = readWholeEvents(await first.create({ model, store: false, input: "Copper" }));
    for (const previous_response_id of [id, "resp_openresponses_missing_1"]) {
      const [lost] = await second.create({ model, store: false, previous_response_id, input: "Go on" });
      expect(lost).toMatchObject({
        type: "error",
        status: 400,
        error: { code: "previous_response_not_found" },
      });
    }
    const again = await second.create({ model, store: false, input: [said("user", "Begin again")] });
    expect(readWholeEvents(again).status).toBe("completed");
    for (const socket of [first, second]) socket.close();
  });

  test("a turn that fails takes what it went on from with it", async () => {
    const socket = await openResponseSocket(gateway);
    const { id: previous_response_id } = readWholeEvents(
      await socket.create({ model, store: false, input: "Ember" }),
    );
    const next = { model, store: false, previous_response_id };
    const orphan = { type: "function_call_output", call_id: "call_missing", output: "Nothing called it" };
    const [failed] = await socket.create({ ...next, input: [orphan] });
    expect(failed).toMatchObject({ type: "error", status: 400, error: { param: "input.0.call_id" } });
    const [stale] = await socket.create({ ...next, input: "Go on" });
    expect(stale).toMatchObject({ type: "error", error: { code: "previous_response_not_found" } });
    socket.close();
  });
});

test("the phases that a provider gives its messages come back", async () => {
  native.answerWith(() => ({
    output: [message({ phase: "commentary" }), message({ id: "msg_2", phase: "final_answer" })],
  }));
  const phases = [{ phase: "commentary" }, { phase: "final_answer" }];
  expect((await create({ model: "native", input: "Hi" })).output).toMatchObject(phases);
  expect((await stream({ model: "native", input: "Hi" })).response.output).toMatchObject(phases);
});

test("each call of the official SDK takes its optional parameters, and answers in the form of its types", async () => {
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}/body_settings`, {
    mode: "whole",
    retention_days: 30,
    redactions: [],
  });
  const { responses } = officialClient(gateway.baseUrl, gateway.key);
  const created = await responses.create({
    model: "chat",
    input: "Hi",
    service_tier: "auto",
    metadata: { a: "b" },
  });
  expect(created.output_text).toBe("Hello");
  const { response } = await responses
    .retrieve(created.id, { include: [], include_obfuscation: true, stream: false })
    .withResponse();
  expect(response.status).toBe(200);
  const items = await responses.inputItems.list(created.id, {
    after: undefined,
    include: [],
    limit: 1,
    order: "asc",
  });
  expect(items.data).toMatchObject([{ type: "message", role: "user" }]);
  const counted = await responses.inputTokens.count({
    model: "chat",
    input: "And now?",
    instructions: "Be brief",
    parallel_tool_calls: true,
    previous_response_id: created.id,
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "text" }, verbosity: "low" },
    tool_choice: "none",
    tools: [{ type: "function", name: "f", parameters: {}, strict: true }],
    truncation: "disabled",
  });
  expect(counted).toMatchObject({ object: "response.input_tokens", input_tokens: expect.any(Number) });
  const compacted = await responses.compact({
    model: "chat",
    input: "And now?",
    instructions: "Be brief",
    previous_response_id: created.id,
    prompt_cache_key: "key",
    prompt_cache_retention: "in_memory",
    service_tier: "auto",
  });
  expect(compacted).toMatchObject({ object: "response.compaction", output: [{ type: "compaction" }] });
  await responses.delete(created.id);
  expect((await catchRefusal(responses.retrieve(created.id))).status).toBe(404);
});
