import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type OpenAI from "openai";
import { officialClient } from "../../support/clients/official-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { signThinking } from "../../support/servers/anthropic-request-faults";
import {
  type AnthropicServer,
  anthropicConfiguration,
  startAnthropicServer,
} from "../../support/servers/anthropic-server";

let server: AnthropicServer;
let gateway: ServedGateway;
let client: OpenAI;

beforeAll(async () => {
  server = startAnthropicServer();
  gateway = await serveGateway({ config: anthropicConfiguration(server), isExpectedFault: isProviderFault });
  client = officialClient(gateway.baseUrl, gateway.key);
});
beforeEach(() => {
  server.visits.length = 0;
  server.answerWith(() => ({ content: [{ type: "text", text: "Hello" }] }));
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;
const hello: Chat = { model: "claude", messages: [{ role: "user", content: "Hi" }] };
const sent = () => JSON.parse(server.visits.at(-1)?.text ?? "{}");

/** The answer to a call, whole and put together from its stream. */
async function both(chat: Chat) {
  const whole = await client.chat.completions.create(chat);
  const runner = client.chat.completions.stream({
    ...chat,
    stream_options: { include_usage: true },
  } as never);
  return [whole, await runner.finalChatCompletion()];
}

test("a chat is answered by a provider that speaks messages, whole and streamed, and charged by its usage", async () => {
  const usage = { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 };
  server.answerWith(() => ({ content: [{ type: "text", text: "Hello there" }], usage }));
  for (const completion of await both({ ...hello, max_completion_tokens: 50, user: "u".repeat(80) })) {
    expect(completion).toMatchObject({
      object: expect.stringContaining("chat.completion"),
      model: "claude",
      choices: [{ message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 120, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } },
    });
  }
  expect(sent()).toMatchObject({
    model: "claude-4",
    max_tokens: 50,
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    metadata: { user_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(server.visits[0]?.headers.get("anthropic-version")).toBe("2023-06-01");
});

const longName = `${"a.very.long.name".repeat(5)}`;
const tools: Chat["tools"] = [
  { type: "function", function: { name: longName, parameters: { type: "object", properties: {} } } },
  {
    type: "function",
    function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
  },
];

test("parallel calls of tools, with thinking, come back with what led to them", async () => {
  const thinking = "Both, then";
  server.answerWith(({ body }) => ({
    content: [
      { type: "thinking", thinking, signature: signThinking(thinking) },
      { type: "text", text: "Let me look" },
      {
        type: "tool_use",
        id: "toolu_1",
        name: body.tools?.[0] && "name" in body.tools[0] ? body.tools[0].name : "",
        input: {},
      },
      { type: "tool_use", id: "toolu_2", name: "weather", input: { city: "Bern" } },
    ],
    stop_reason: "tool_use",
  }));
  const chat: Chat = {
    ...hello,
    tools,
    reasoning_effort: "high",
    max_completion_tokens: 4_000,
    temperature: 1,
  };
  for (const { choices } of await both(chat)) {
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage & { reasoning_content: string };
    expect([choices[0]?.finish_reason, message.content]).toEqual(["tool_calls", "Let me look"]);
    // The SDK keeps the last piece of a field that it doesn't know.
    expect(thinking).toEndWith(message.reasoning_content);
    const calls = (message.tool_calls ?? []) as OpenAI.ChatCompletionMessageFunctionToolCall[];
    expect(calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual([
      [longName, {}],
      ["weather", { city: "Bern" }],
    ]);
    // Most clients give back the calls and nothing else.
    const history: Chat["messages"] = [
      ...hello.messages,
      { role: "assistant", content: message.content, tool_calls: calls },
      { role: "tool", tool_call_id: calls[1]?.id ?? "", content: "Sunny" },
      {
        role: "tool",
        tool_call_id: calls[0]?.id ?? "",
        content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0" } }] as never,
      },
    ];
    await client.chat.completions.create({ ...chat, messages: history });
    expect(sent().messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking, signature: signThinking(thinking) },
          { type: "text", text: "Let me look" },
          { type: "tool_use", id: "toolu_1", name: expect.stringMatching(/^[\w-]{1,64}$/), input: {} },
          { type: "tool_use", id: "toolu_2", name: "weather", input: { city: "Bern" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_1",
            content: [
              { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0" } },
            ],
          },
          { type: "tool_result", tool_use_id: "toolu_2", content: [{ type: "text", text: "Sunny" }] },
        ],
      },
    ]);
  }
});

describe("JSON by a schema", () => {
  const named = (schema: Record<string, unknown>) =>
    ({ type: "json_schema", json_schema: { name: "answer", schema, strict: true } }) as const;

  test("that is closed is the receiver's own format", async () => {
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    await client.chat.completions.create({ ...hello, response_format: named(schema) });
    expect(sent().output_config).toEqual({ format: { type: "json_schema", schema } });
  });

  test("that is open is the input of a tool, and the answer is told as a text", async () => {
    server.answerWith(() => ({
      content: [{ type: "tool_use", id: "toolu_1", name: "json_output", input: { answer: 42 } }],
      stop_reason: "tool_use",
    }));
    for (const { choices } of await both({ ...hello, response_format: named({ type: "object" }) })) {
      expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: '{"answer":42}' } });
      expect(choices[0]?.message.tool_calls ?? []).toEqual([]);
    }
    expect(sent().tool_choice).toEqual({ type: "tool", name: "json_output" });
  });
});

test("instructions, pictures, PDFs, an odd history and stops fit the receiver", async () => {
  await client.chat.completions.create({
    ...hello,
    stop: ["END", " "],
    messages: [
      { role: "assistant", content: "Welcome" },
      { role: "user", content: "" },
      { role: "user", content: "One" },
      { role: "developer", content: "Be brief" },
      {
        role: "user",
        content: [
          { type: "text", text: "Two" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call:1", type: "function", function: { name: "weather", arguments: "oops" } }],
      },
      { role: "user", content: "Well?" },
      { role: "tool", tool_call_id: "unknown", content: "Lost" },
    ],
  });
  expect(sent()).toMatchObject({
    system: [{ type: "text", text: "Be brief" }],
    stop_sequences: ["END"],
    messages: [
      { role: "user", content: [{ text: "." }] },
      { role: "assistant", content: [{ text: "Welcome" }] },
      {
        role: "user",
        content: [
          { text: "One" },
          { text: "Two" },
          { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
          { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf" } },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "call_1", input: { input: "oops" } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: "The tool gave no result." },
          { text: "Well?" },
          { text: "The result of an earlier tool call:" },
          { text: "Lost" },
        ],
      },
    ],
  });
});

test("what has no place is left out and named, also in the receipt", async () => {
  const fields = { seed: 7, temperature: 1.5, top_p: 0.9, logit_bias: { "1": 1 } };
  const { response } = await client.chat.completions.create({ ...hello, ...fields }).withResponse();
  expect(response.headers.get("x-gatehouse-left-out")?.split(", ").toSorted()).toEqual([
    "logit_bias",
    "seed",
    "temperature",
    "top_p",
  ]);
  expect(sent()).toMatchObject({ temperature: 1 });
  const id = response.headers.get("x-request-id");
  type Receipt = { settings: { left_out: string[] } };
  const { settings } = await gateway.admin<Receipt>("GET", `/organization/requests/${id}`);
  expect(settings.left_out).toContain("seed");
});

test.each([
  ["max_tokens", "length"],
  ["stop_sequence", "stop"],
  ["refusal", "content_filter"],
  ["model_context_window_exceeded", "length"],
])("%s is told as %s", async (stop_reason, finish_reason) => {
  server.answerWith(() => ({ content: [{ type: "text", text: "Hello" }], stop_reason }));
  for (const { choices } of await both(hello)) expect(choices[0]?.finish_reason).toBe(finish_reason as never);
});

test("an error is told in OpenAI's form, also within a stream, and what came before it is charged", async () => {
  server.answerWith(() =>
    Response.json(
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      { status: 529 },
    ),
  );
  const failed = await client.chat.completions.create(hello).catch((error) => error);
  expect(failed).toMatchObject({ status: 502, code: "provider_error" });
  const part = { type: "input_audio" as const, input_audio: { data: "", format: "wav" as const } };
  const audio = { role: "user" as const, content: [part] };
  const refused = await client.chat.completions
    .create({ ...hello, messages: [audio] })
    .catch((error) => error);
  expect(refused).toMatchObject({ status: 400, param: "messages.0.content.0.type" });
});
