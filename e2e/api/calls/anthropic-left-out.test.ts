import { expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
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

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
  client = createAnthropicClient(gateway);
  provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([chunkEvent({ content: "42" }), usageEvent(usage), DONE])
      : Response.json({ model: "x", choices: [{ message: { content: "42" } }], usage }),
  );
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const request = { ...echoMessage("Hi"), model: "fake" };
const tool = { name: "find", input_schema: { type: "object" as const, properties: {} } };

/** What the provider was sent, and what the caller was told was left out. */
async function send(change: object) {
  const sent = client.beta.messages.create({ ...request, ...change } as never);
  const { response } = await sent.withResponse();
  return {
    body: JSON.parse(provider.visits.at(-1)?.body ?? ""),
    leftOut: response.headers.get("x-gatehouse-left-out"),
    requestId: response.headers.get("request-id"),
  };
}

test("what changes neither the answer nor its price is left out, and named in a header and on the receipt", async () => {
  const { body, leftOut, requestId } = await send({
    betas: ["context-management-2025-06-27"],
    context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
    diagnostics: { previous_message_id: null },
    field_of_next_month: { a: 1 },
    mcp_servers: [],
    top_k: 5,
    service_tier: "auto",
    system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }],
    output_config: { effort: "high", task_budget: { type: "tokens", total: 50_000 } },
    thinking: { type: "next_month" },
    tools: [
      { ...tool, defer_loading: true, eager_input_streaming: true },
      { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
    ],
  });
  expect(body).toEqual({
    model: "upstream-name",
    max_tokens: 100,
    messages: [
      { role: "system", content: "Be brief" },
      { role: "user", content: "Hi" },
    ],
    tools: [{ type: "function", function: { name: "find", parameters: tool.input_schema } }],
    reasoning_effort: "high",
  });
  const names = [
    "tools.tool_search_tool_bm25_20251119",
    "context_management",
    "field_of_next_month",
    "top_k",
    "system.cache_control",
    "output_config.task_budget",
    "tools.defer_loading",
    "tools.eager_input_streaming",
  ];
  expect(leftOut?.split(", ").toSorted()).toEqual(names.toSorted());
  const receipt = await gateway.admin<{ settings: { left_out: string[] } }>(
    "GET",
    `/organization/requests/${requestId}`,
  );
  expect(receipt.settings.left_out.toSorted()).toEqual(names.toSorted());
});

test("a stream says what was left out, and a request that was passed on whole names nothing", async () => {
  const stream = client.beta.messages.stream({ ...request, fallbacks: "default", top_k: 1 });
  const { response } = await stream.withResponse();
  expect(response.headers.get("x-gatehouse-left-out")).toBe("fallbacks, top_k");
  expect((await stream.finalMessage()).content).toMatchObject([{ text: "42" }]);
  expect((await send({})).leftOut).toBeNull();
});

test("a system message keeps its place, also between a tool call and its result", async () => {
  const { body, leftOut } = await send({
    system: "First",
    messages: [
      { role: "user", content: "Hi" },
      { role: "system", content: [{ type: "text", text: "Second" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "find", input: {} }] },
      { role: "system", content: "Third" },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "Found" }] },
    ],
  });
  expect(
    body.messages.map(({ role, content }: { role: string; content: unknown }) => [role, content]),
  ).toEqual([
    ["system", "First"],
    ["user", "Hi"],
    ["system", "Second"],
    ["assistant", null],
    ["tool", "Found"],
    ["system", "Third"],
  ]);
  expect(leftOut).toBeNull();
});

test("blocks of next month stand beside what they are about, and don't end a session", async () => {
  const { body, leftOut } = await send({
    messages: [
      {
        role: "user",
        content: [
          { type: "tool_addition", tool: { name: "x" } },
          { type: "text", text: "Hi" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
          { type: "web_search_tool_result", tool_use_id: "s1", content: [{ type: "web_search_result" }] },
          { type: "compaction", content: "They said hi." },
          { type: "text", text: "Hello", citations: [{ type: "web_search_result_location" }] },
          { type: "tool_use", id: "t1", name: "find", input: {}, caller: { type: "direct" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "tool_reference", tool_name: "find", cache_control: { type: "ephemeral" } }],
          },
          {
            type: "search_result",
            source: "https://example.com",
            title: "A page",
            content: [{ type: "text", text: "Words" }],
            citations: { enabled: true },
          },
        ],
      },
    ],
  });
  expect(body.messages).toMatchObject([
    { role: "user", content: "Hi" },
    { role: "assistant", content: "They said hi.Hello", tool_calls: [{ id: "t1" }] },
    { role: "tool", content: '{"type":"tool_reference","tool_name":"find"}' },
    { role: "user", content: "Title: A page\nSource: https://example.com\nWords" },
  ]);
  expect(leftOut?.split(", ").toSorted()).toEqual([
    "messages.content.caller",
    "messages.content.citations",
    "messages.content.server_tool_use",
    "messages.content.tool_addition",
    "messages.content.web_search_tool_result",
  ]);
});

test("an assistant's message of nothing else is left out, and the users' around it are one", async () => {
  const { body } = await send({
    messages: [
      { role: "user", content: "One" },
      { role: "assistant", content: [{ type: "server_tool_use", id: "s1", name: "web_search", input: {} }] },
      { role: "user", content: "Two" },
    ],
  });
  expect(body.messages).toEqual([
    {
      role: "user",
      content: "One\n\nTwo",
    },
  ]);
});

test.each<[string, object, string]>([
  ["a faster mode", { speed: "fast" }, "speed: Extra inputs are not permitted"],
  [
    "a tool that the provider runs",
    { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    "tools.0: Input tag 'web_search_20250305' found using 'type' does not match any of the expected tags: 'custom'",
  ],
  [
    "a file that would be lost",
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "See" },
            { type: "container_upload", file_id: "f" },
          ],
        },
      ],
    },
    "messages.0.content.1: Input tag 'container_upload' found using 'type' does not match any of the expected tags",
  ],
  ["another role", { messages: [{ role: "tool", content: "x" }] }, 'messages: Unexpected role "tool"'],
])("%s is refused in Anthropic's words", async (_what, change, words) => {
  const error = await send(change).catch((reason) => reason);
  expect(error).toMatchObject({ status: 400 });
  expect(error.error.error).toMatchObject({ type: "invalid_request_error" });
  expect(error.error.error.message).toStartWith(words);
  expect(provider.visits).toEqual([]);
});
