import { describe, expect, test } from "bun:test";
import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: Anthropic;

serveScriptedForEach(
  (served) => {
    ({ provider, gateway } = served);
    client = createAnthropicClient(gateway);
  },
  { isExpectedFault: isProviderFault },
);

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };

test("without anthropic-version the reply is a chat completion, and max_tokens is required", async () => {
  const send = (body: object) => fetchWithKey(`${gateway.baseUrl}/messages`, { key: gateway.key, body });
  const reply = await (await send(echoMessage("Hello there"))).json();
  expect(reply).toMatchObject({
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
  });
  const { max_tokens: _, ...unbounded } = echoMessage("Hello there");
  expect(await (await send(unbounded)).json()).toMatchObject({
    error: { type: "invalid_request_error", code: "missing_field", param: "max_tokens" },
  });
});

test("with the key in x-api-key alone, replies, streams and errors are Anthropic's; with Bearer they aren't", async () => {
  const send = (path: string, change: object, headers: Record<string, string>) =>
    fetch(`${gateway.baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ ...echoMessage("Hello there"), ...change }),
    });
  const own = { "x-api-key": gateway.key };
  const message = { type: "message", content: [{ type: "text", text: "Hello there" }] };
  expect(await (await send("/messages", {}, own)).json()).toMatchObject(message);
  expect(await (await send("/messages?beta=true", {}, own)).json()).toMatchObject(message);
  expect(await (await send("/messages", { stream: true }, own)).text()).toContain("event: message_stop");
  const refused = { type: "error", error: { type: "not_found_error" }, request_id: expect.any(String) };
  expect(await (await send("/messages", { model: "gpt-0" }, own)).json()).toMatchObject(refused);
  expect(await (await send("/messages/count_tokens", { model: "gpt-0" }, own)).json()).toMatchObject(refused);
  expect(await (await send("/messages", {}, { "x-api-key": "wrong" })).json()).toMatchObject({
    type: "error",
    error: { type: "authentication_error" },
  });
  const completion = { object: "chat.completion" };
  expect(await (await send("/chat/completions", {}, own)).json()).toMatchObject(completion);
  const bearer = { ...own, authorization: `Bearer ${gateway.key}` };
  expect(await (await send("/messages", {}, bearer)).json()).toMatchObject(completion);
});

test("a whole and a streamed message through the official SDK, charged alike", async () => {
  const message = await client.messages.create(echoMessage("Hello there"));
  expect(message).toMatchObject({
    type: "message",
    role: "assistant",
    model: "sandbox-echo",
    content: [{ type: "text", text: "Hello there" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 2, output_tokens: 2 },
  });
  const streamed = await client.messages.stream(echoMessage("Hello there")).finalMessage();
  expect(streamed).toMatchObject({ content: message.content, stop_reason: "end_turn", usage: message.usage });
  const cut = await client.messages.create({ ...echoMessage("Hello there"), max_tokens: 1 });
  expect(cut.stop_reason).toBe("max_tokens");
  // (3 × (2 × 1.00) + 5 × 2.00) ÷ 1,000,000 × 0.5
  expect(await gateway.admin("GET", "/organization/balance")).toMatchObject({ available: "9.999992" });
});

const weather = {
  name: "weather",
  description: "Tells the weather",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } } },
};

describe("through an OpenAI-compatible provider", () => {
  test("system, images, tools and their results keep their meaning", async () => {
    provider.answerWith(() =>
      Response.json({ model: "x", choices: [{ message: { content: "Sunny" } }], usage }),
    );
    await client.messages.create({
      model: "fake",
      max_tokens: 50,
      system: [{ type: "text", text: "Be brief" }],
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      tools: [weather],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Where is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Let me see" },
            { type: "tool_use", id: "t1", name: "weather", input: { city: "Rome" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "Sun" }] },
            { type: "text", text: "So?" },
          ],
        },
      ],
    });
    expect(JSON.parse(provider.visits[0]?.body ?? "")).toEqual({
      model: "upstream-name",
      max_tokens: 50,
      stop: ["END"],
      user: "u1",
      tools: [
        {
          type: "function",
          function: { name: "weather", description: "Tells the weather", parameters: weather.input_schema },
        },
      ],
      tool_choice: "required",
      parallel_tool_calls: false,
      messages: [
        { role: "system", content: "Be brief" },
        {
          role: "user",
          content: [
            { type: "text", text: "Where is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw" } },
          ],
        },
        {
          role: "assistant",
          content: "Let me see",
          tool_calls: [
            { id: "t1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
          ],
        },
        { role: "tool", tool_call_id: "t1", content: "Sun" },
        { role: "user", content: "So?" },
      ],
    });
  });

  test("a tool is called, in a whole message and in a stream", async () => {
    const called = {
      id: "t1",
      type: "function",
      function: { name: "weather", arguments: '{"city":"Rome"}' },
    };
    const choice = {
      index: 0,
      message: { content: null, tool_calls: [called] },
      finish_reason: "tool_calls",
    };
    provider.answerWith(() => Response.json({ model: "fake", choices: [choice], usage }));
    const request = { ...echoMessage("Weather?"), model: "fake", tools: [weather] };
    const toolUse = { type: "tool_use", id: "t1", name: "weather", input: { city: "Rome" } };
    const whole = await client.messages.create(request);
    expect(whole).toMatchObject({ content: [toolUse], stop_reason: "tool_use" });

    const call = (change: object) => ({ tool_calls: [{ index: 0, ...change }] });
    provider.answerWith(() =>
      streamChunks([
        chunkEvent({ role: "assistant", content: "Let " }),
        chunkEvent({ content: "me" }),
        chunkEvent(call({ id: "t1", type: "function", function: { name: "weather", arguments: "" } })),
        chunkEvent(call({ function: { arguments: '{"city":' } })),
        chunkEvent(call({ function: { arguments: '"Rome"}' } })),
        chunkEvent({}).replace('"finish_reason":null', '"finish_reason":"tool_calls"'),
        usageEvent(usage),
        DONE,
      ]),
    );
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed).toMatchObject({
      content: [{ type: "text", text: "Let me" }, toolUse],
      stop_reason: "tool_use",
      usage: { input_tokens: 11, output_tokens: 3 },
    });
  });

  test("a stream that breaks ends in Anthropic's error event", async () => {
    provider.answerWith(() => streamChunks([chunkEvent({ content: "Hi" })]));
    const broken = client.messages.stream({ ...echoMessage("Hi"), model: "fake" }).finalMessage();
    await expect(broken).rejects.toThrow("broke off");
  });
});

describe("errors are Anthropic's", () => {
  const catchRefusal = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof APIError)) throw new Error(`It was not refused: ${error}`);
    return [error.status, (error.error as { error: { type: string } }).error.type];
  };

  const create = (change: object = {}) => client.messages.create({ ...echoMessage("Hi"), ...change });

  test.each<[string, number, string, () => Promise<unknown>]>([
    ["an unknown model", 404, "not_found_error", () => create({ model: "gpt-0" })],
    ["no messages", 400, "invalid_request_error", () => create({ messages: [] })],
    [
      "content of an unknown type",
      400,
      "invalid_request_error",
      () => create({ messages: [{ role: "user", content: [{ type: "film" }] }] }),
    ],
    ["a failing provider", 502, "api_error", () => create({ model: "sandbox-500" })],
  ])("for %s", async (_, status, type, call) => {
    expect(await catchRefusal(call())).toEqual([status, type]);
  });

  test("for a wrong key", async () => {
    const stranger = new Anthropic({ baseURL: client.baseURL, apiKey: "wrong", maxRetries: 0 });
    const call = stranger.messages.create(echoMessage("Hi"));
    expect(await catchRefusal(call)).toEqual([401, "authentication_error"]);
  });

  test("for a full limit", async () => {
    await gateway.setLimits("sandbox-echo", { max_requests_per_1_minute: 0 });
    expect(await catchRefusal(create())).toEqual([429, "rate_limit_error"]);
  });

  test("for an empty balance", async () => {
    const poor = await serveGateway({ balance: "0" });
    const baseURL = poor.baseUrl.replace(/\/v1$/, "");
    const call = new Anthropic({ baseURL, apiKey: poor.key, maxRetries: 0 }).messages.create(
      echoMessage("Hi"),
    );
    expect(await catchRefusal(call)).toEqual([402, "billing_error"]);
    await poor.close();
  });
});

test("a message has all that its reply knew, whole and streamed: cached tokens, thinking, tier, its last text", async () => {
  const told = {
    prompt_tokens: 11,
    completion_tokens: 9,
    total_tokens: 20,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 5 },
  };
  const end = { index: 0, finish_reason: "stop", stop_reason: "END" };
  const tier = { service_tier: "default" };
  provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([
          chunkEvent({ content: "Sunny" }, tier),
          chunkEvent({}, { choices: [{ ...end, delta: {} }] }),
          usageEvent(told),
          DONE,
        ])
      : Response.json({
          model: "x",
          ...tier,
          choices: [{ ...end, message: { content: "Sunny" } }],
          usage: told,
        }),
  );
  const message = {
    model: "fake",
    max_tokens: 50,
    stop_sequences: ["END"],
    messages: [{ role: "user" as const, content: "Weather?" }],
  };
  const tokens = {
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 8,
    output_tokens: 9,
  };
  const stopped = { stop_reason: "stop_sequence", stop_sequence: "END" };
  const details = { output_tokens_details: { thinking_tokens: 5 }, service_tier: "standard" };
  expect(await client.messages.create(message)).toMatchObject({
    ...stopped,
    usage: { ...tokens, ...details },
  });
  const events = await Array.fromAsync(await client.messages.create({ ...message, stream: true }));
  expect(events[0]).toMatchObject({
    message: {
      usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, service_tier: "standard" },
    },
  });
  expect(events.at(-2)).toMatchObject({ delta: stopped, usage: { ...tokens, ...details } });
});
