import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type Anthropic from "@anthropic-ai/sdk";
import { createAnthropicClient } from "../../support/clients/anthropic-client";
import { readReceipt } from "../../support/clients/read-requests";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { signThinking } from "../../support/servers/anthropic-request-faults";
import {
  type AnthropicServer,
  anthropicConfiguration,
  startAnthropicServer,
  writeAnthropicEvent,
} from "../../support/servers/anthropic-server";

let server: AnthropicServer;
let gateway: ServedGateway;
let client: Anthropic;

beforeAll(async () => {
  server = startAnthropicServer();
  gateway = await serveGateway({ config: anthropicConfiguration(server), isExpectedFault: isProviderFault });
  client = createAnthropicClient(gateway);
});
beforeEach(() => {
  server.visits.length = 0;
  server.answerWith(() => ({ content: [{ type: "text", text: "Hello" }] }));
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

const post = (body: object | string, headers: Record<string, string> = {}, path = "/messages") =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: "POST",
    headers: { "x-api-key": gateway.key, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const search = { type: "web_search_20250305", name: "web_search" };
const own = { name: "weather", input_schema: { type: "object" } };
const hello = { model: "claude", max_tokens: 100, messages: [{ role: "user" as const, content: "Hi" }] };

async function chargeOf(id: string | null) {
  type Row = { outcome: string; amount: string; prompt_tokens: number; completion_tokens: number };
  const { request } = await gateway.admin<{ request: Row }>("GET", `/organization/requests/${id}`);
  return request;
}

test("a message goes to a provider that speaks messages as it is, but for its model and its output limit", async () => {
  const body = `{ "model":"claude" , "max_tokens": 9000,  "messages":[{"role":"user","content":"Hi"}], "top_k" : 5 }`;
  const reply = await post(body, {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "context-1m-2025-08-07",
  });
  expect(reply.status).toBe(200);
  expect(server.visits[0]?.text).toBe(
    `{ "model":"claude-4" , "max_tokens": 8000,  "messages":[{"role":"user","content":"Hi"}], "top_k" : 5 }`,
  );
  expect(server.visits[0]?.headers.get("anthropic-beta")).toBe("context-1m-2025-08-07");
  expect(await reply.json()).toMatchObject({
    id: "msg_upstream",
    model: "claude",
    usage: { output_tokens: 5, service_tier: "standard" },
  });
  expect(reply.headers.get("request-id")).toStartWith("req_");
  expect(await chargeOf(reply.headers.get("request-id"))).toMatchObject({ amount: "0.00002" });
});

test("a stream's events pass as bytes, its end once it is charged, and its model by the name that was asked for", async () => {
  const content = [
    { type: "thinking", thinking: "Let me see", signature: signThinking("Let me see") },
    { type: "redacted_thinking", data: "sealed" },
    { type: "text", text: "Hello \\u00e9 there, \u{1F600}" },
    { type: "server_tool_use", id: "srvtoolu_1", name: "find", input: { query: "x" } },
    { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bern" } },
  ];
  server.answerWith(() => ({ content, stop_reason: "tool_use" }));
  const reply = await post({ ...hello, stream: true });
  const text = await reply.text();
  expect(text).toContain(
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_upstream","type":"message","role":"assistant","model":"claude",',
  );
  expect(text).toContain('{"type":"signature_delta","signature":"sig_');
  expect(text).toContain("event: ping");
  expect(text).not.toContain("[DONE]");
  expect(text).toEndWith(
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":5}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
  );
  const streamed = await client.messages.stream(hello).finalMessage();
  expect(streamed.content as unknown).toEqual(content);
  expect(await chargeOf(reply.headers.get("request-id"))).toMatchObject({ amount: "0.00002" });
});

describe("what other protocols can't say stays:", () => {
  test("cache marks, thinking with signatures, server tools in the history, references of tools, and unknown fields", async () => {
    const body = {
      ...hello,
      system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral", ttl: "1h" } }],
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      thinking: { type: "adaptive" },
      tools: [
        { name: "weather", input_schema: { type: "object" }, defer_loading: true },
        { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" },
        { type: "bash_20250124", name: "bash" },
      ],
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm", signature: signThinking("Hm") },
            { type: "redacted_thinking", data: "sealed" },
            { type: "server_tool_use", id: "srvtoolu_1", name: "tool_search_tool_regex", input: { q: "w" } },
            {
              type: "tool_search_tool_result",
              tool_use_id: "srvtoolu_1",
              content: { tool_references: [{ type: "tool_reference", tool_name: "weather" }] },
            },
            { type: "tool_use", id: "toolu_1", name: "weather", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_1", content: "Sunny" },
            { type: "text", text: "And?", cache_control: { type: "ephemeral" } },
          ],
        },
      ],
    };
    const reply = await post(body);
    expect(reply.status).toBe(200);
    expect(JSON.parse(server.visits[0]?.text ?? "")).toEqual({ ...body, model: "claude-4" });
    expect(reply.headers.get("x-gatehouse-left-out")).toBeNull();
  });

  test.each([
    [{ speed: "fast" }, "speed"],
    [{ inference_geo: "us" }, "inference_geo"],
    [{ tools: [search] }, "tools.0.type"],
    [{ tools: [own, search], tool_choice: { type: "tool", name: "web_search" } }, "tools.1.type"],
  ])("but what costs more and has no price is refused by its name: %j", async (change, param) => {
    const reply = await post({ ...hello, ...change });
    expect(await reply.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", code: "unpriced_field", param },
    });
    expect([reply.status, server.visits.length]).toEqual([400, 0]);
  });
});

test("a tool that the provider would run is left out and named, where the model has no price for it", async () => {
  const reply = await post({ ...hello, tools: [search, own], tool_choice: { type: "any" } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("x-gatehouse-tools-left-out")).toBe("web_search_20250305");
  expect(JSON.parse(server.visits[0]?.text ?? "")).toMatchObject({
    tools: [own],
    tool_choice: { type: "any" },
  });
  const { settings } = await readReceipt(gateway, reply.headers.get("request-id"));
  expect(settings?.left_out).toEqual(["tools.web_search_20250305"]);
});

test("cached tokens are part of the prompt that is charged, as they are read, and the client sees the provider's figures", async () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 900,
    cache_creation_input_tokens: 50,
    output_tokens: 20,
  };
  server.answerWith(() => ({ content: [{ type: "text", text: "Hello" }], usage }));
  for (const stream of [false, true]) {
    const reply = await post({ ...hello, stream, system: "word ".repeat(1_000) });
    expect(await reply.text()).toContain('"cache_read_input_tokens":900');
    expect(await chargeOf(reply.headers.get("request-id"))).toMatchObject({
      prompt_tokens: 1_050,
      completion_tokens: 20,
    });
  }
});

test("tokens are counted by the provider", async () => {
  expect(await client.messages.countTokens({ model: "claude", messages: hello.messages })).toEqual({
    input_tokens: 77,
  });
  expect(server.visits[0]).toMatchObject({ path: "/v1/messages/count_tokens", body: { model: "claude-4" } });
});

describe("a stream that goes wrong", () => {
  const start = writeAnthropicEvent("message_start", {
    message: { id: "m", model: "claude-4", usage: { input_tokens: 10, output_tokens: 1 } },
  });
  const open = writeAnthropicEvent("content_block_start", {
    index: 0,
    content_block: { type: "text", text: "" },
  });
  const say = (text: string) =>
    writeAnthropicEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  const respond = (...events: string[]) =>
    new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });

  test("is cut off where the hold ends, and closes its block", async () => {
    server.answerWith(() => respond(start, open, ...Array.from({ length: 50 }, () => say("word "))));
    const reply = await post({ ...hello, max_tokens: 3, stream: true });
    const text = await reply.text();
    expect(text.match(/text_delta/g)).toHaveLength(3);
    expect(text).toContain(
      'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta',
    );
    expect(text).toContain('"stop_reason":"max_tokens"');
    expect(text).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    expect(await chargeOf(reply.headers.get("request-id"))).toMatchObject({ completion_tokens: 3 });
  });

  test("tells an error in Anthropic's form, and what came before is charged", async () => {
    const overloaded = { error: { type: "overloaded_error", message: "Overloaded" } };
    server.answerWith(() =>
      respond(start, open, say("Hello there"), writeAnthropicEvent("error", overloaded)),
    );
    const reply = await post({ ...hello, stream: true });
    const text = await reply.text();
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","error":\{.*"code":"provider_error".*\},"request_id":"req_.*\}\n\n$/,
    );
    expect(await chargeOf(reply.headers.get("request-id"))).toMatchObject({
      outcome: "provider_failed",
      completion_tokens: 3,
    });
  });

  test("that ends without a stop is a failure", async () => {
    server.answerWith(() => respond(start, open, say("Hello")));
    expect(await (await post({ ...hello, stream: true })).text()).toContain("event: error");
  });
});

test("errors of the provider come in Anthropic's form, and a whole message where a stream was asked for becomes one", async () => {
  const refused = await post({ ...hello, temperature: 2 });
  const message = "The provider refused: temperature: range: 0..1";
  const error = { type: "invalid_request_error", provider_code: "invalid_request_error", message };
  expect(await refused.json()).toMatchObject({ type: "error", error });
  server.answerWith(() =>
    Response.json({
      id: "m",
      type: "message",
      role: "assistant",
      model: "claude-4",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
  );
  expect(await client.messages.stream(hello).finalMessage()).toMatchObject({
    content: [{ text: "Hello" }],
    usage: { output_tokens: 5 },
  });
});

test("a repeat with an idempotency key gets the message again", async () => {
  for (const stream of [false, true]) {
    const headers = { "idempotency-key": `again-${stream}` };
    const first = await (await post({ ...hello, stream }, headers)).text();
    const again = await post({ ...hello, stream }, headers);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.text()).toBe(first);
  }
  expect(server.visits).toHaveLength(2);
});
