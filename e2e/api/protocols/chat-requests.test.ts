import { beforeEach, describe, expect, test } from "bun:test";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type OpenAI from "openai";
import { officialClient } from "../../support/clients/official-client";
import { type Protocols, serveProtocols } from "../../support/protocols/serve-protocols";
import { signThinking } from "../../support/servers/anthropic-request-faults";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});
beforeEach(() =>
  served.anthropic.answerWith(() => ({
    content: [{ type: "text", text: "Hello" }],
    stop_reason: "end_turn",
  })),
);

type Fields = Record<string, unknown>;
type Messages = OpenAI.ChatCompletionMessageParam[];
const hi: Messages = [{ role: "user", content: "Hi" }];

/** What Anthropic's API was sent for a chat, and what is named as left out of it. */
async function translate(chat: Fields): Promise<{ sent: Fields; leftOut: string[] }> {
  const client = officialClient(served.gateway.baseUrl, served.gateway.key);
  const body = { model: "anthropic", messages: hi, max_completion_tokens: 4_000, ...chat };
  const { response } = await client.chat.completions
    .create(body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming)
    .withResponse();
  const leftOut = response.headers.get("x-gatehouse-left-out")?.split(", ").toSorted() ?? [];
  return { sent: served.readSent("anthropic"), leftOut };
}

const call = (id: string, name = "weather", more: Fields = {}) => ({
  id,
  type: "function" as const,
  function: { name, arguments: "{}" },
  ...more,
});
const tool = (name: string, parameters: Fields = { type: "object", properties: {} }, more: Fields = {}) => ({
  type: "function",
  function: { name, parameters, ...more },
});
const mark = { cache_control: { type: "ephemeral" } };

describe("marks of a cache", () => {
  test("stand on a message, a part, a call, a result, a tool and the whole request", async () => {
    const { sent, leftOut } = await translate({
      ...mark,
      tools: [{ ...tool("weather"), ...mark }],
      messages: [
        { role: "system", content: "Be brief", ...mark },
        { role: "user", content: "Hi" },
        { role: "assistant", content: null, tool_calls: [call("a", "weather")] },
        { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "Sun", ...mark }] },
      ],
    });
    expect(sent).toMatchObject({
      ...mark,
      tools: [{ name: "weather", ...mark }],
      system: [{ text: "Be brief", ...mark }],
    });
    expect(JSON.stringify(sent.messages)).toContain(
      '"content":[{"type":"text","text":"Sun"}],"cache_control":{"type":"ephemeral"}',
    );
    expect(leftOut).toEqual([]);
    const more = await translate({
      tools: [tool("weather")],
      messages: [
        { role: "user", content: "Hi", ...mark },
        { role: "assistant", content: "Well", tool_calls: [call("a", "weather", mark)] },
        { role: "tool", tool_call_id: "a", content: "Sun", ...mark },
      ],
    });
    expect(more.sent.messages).toMatchObject([
      { content: [{ text: "Hi", ...mark }] },
      { content: [{ text: "Well" }, { type: "tool_use", ...mark }] },
      { content: [{ type: "tool_result", ...mark }] },
    ]);
  });

  test("beyond those that a receiver takes are left out from the first on, and named", async () => {
    const marked = Array.from({ length: 6 }, (_, index) => ({ type: "text", text: `${index}`, ...mark }));
    const { sent, leftOut } = await translate({ messages: [{ role: "user", content: marked }] });
    const [message] = sent.messages as { content: Fields[] }[];
    expect(message?.content.map((block) => "cache_control" in block)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(leftOut).toEqual(["cache_control"]);
  });
});

describe("tools", () => {
  test("with alternatives at the top of their schema keep the rest of it", async () => {
    const parameters = { properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }] };
    const { sent, leftOut } = await translate({ tools: [tool("pick", parameters)] });
    expect(sent.tools).toEqual([
      { name: "pick", input_schema: { type: "object", properties: { a: { type: "string" } } } },
    ]);
    expect(leftOut).toEqual(["tools.function.parameters.anyOf"]);
  });

  test("are strict where their schema can be", async () => {
    const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
    const bounded = { ...closed, properties: { a: { type: "integer", minimum: 1 } }, required: ["a"] };
    const { sent, leftOut } = await translate({
      tools: [tool("one", closed, { strict: true }), tool("two", bounded, { strict: true })],
    });
    expect(sent.tools).toMatchObject([
      { name: "one", strict: true },
      { name: "two", input_schema: bounded },
    ]);
    expect(JSON.stringify((sent.tools as Fields[])[1])).not.toContain("strict");
    expect(leftOut).toEqual(["tools.function.strict"]);
  });

  test("of earlier calls are told where the request has none any more, and may not be called", async () => {
    const { sent } = await translate({
      messages: [
        ...hi,
        { role: "assistant", content: null, tool_calls: [call("a"), call("b", "search")] },
        { role: "tool", tool_call_id: "a", content: "Sun" },
      ],
    });
    expect(sent).toMatchObject({
      tools: [{ name: "weather" }, { name: "search" }],
      tool_choice: { type: "none" },
    });
  });

  test("called under one id in two turns have two", async () => {
    const turn = (result: string): Messages => [
      { role: "assistant", content: null, tool_calls: [call("call_0")] },
      { role: "tool", tool_call_id: "call_0", content: result },
    ];
    const { sent } = await translate({
      tools: [tool("weather")],
      messages: [...hi, ...turn("1"), ...turn("2")],
    });
    const blocks = (sent.messages as { content: Fields[] }[]).flatMap(({ content }) => content);
    expect(blocks.flatMap(({ id, tool_use_id }) => id ?? tool_use_id ?? [])).toEqual([
      "call_0",
      "call_0",
      "call_0_2",
      "call_0_2",
    ]);
    expect(JSON.stringify(blocks.at(-1))).toContain('"2"');
  });
});

describe("an answer as JSON", () => {
  const named = (schema: Fields) => ({
    response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
  });
  const rich = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      age: { type: "integer", minimum: 0, maximum: 150, description: "In years" },
      mail: { type: "string", format: "email", minLength: 3 },
      tags: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, maxItems: 3 },
      either: { oneOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["age", "mail"],
    additionalProperties: false,
  };

  test("by a schema with bounds that a receiver doesn't take tells them in words, as Anthropic's SDK does", async () => {
    const { sent, leftOut } = await translate(named(rich));
    const { format } = sent.output_config as { format: { schema: Fields } };
    expect(format.schema).toEqual(transformJSONSchema(rich as never) as Fields);
    expect(leftOut).toEqual(
      ["maxItems", "maximum", "minLength", "minimum", "pattern"].map(
        (keyword) => `response_format.json_schema.schema.${keyword}`,
      ),
    );
  });

  test("by an open schema leaves the client's own tools to be called before it", async () => {
    served.anthropic.answerWith(() => ({
      content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: {} }],
      stop_reason: "tool_use",
    }));
    const chat = { ...named({ type: "object" }), tools: [tool("weather")], messages: hi, model: "anthropic" };
    const { sent } = await translate(chat);
    expect(sent.tool_choice).toEqual({ type: "any" });
    const client = officialClient(served.gateway.baseUrl, served.gateway.key);
    const params = chat as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const whole = await client.chat.completions.create(params);
    const streamed = await client.chat.completions.stream(params as never).finalChatCompletion();
    for (const { choices } of [whole, streamed])
      expect(choices[0]).toMatchObject({
        finish_reason: "tool_calls",
        message: { tool_calls: [{ function: { name: "weather", arguments: "{}" } }] },
      });
    const named2 = await translate({
      ...chat,
      tool_choice: { type: "function", function: { name: "weather" } },
    });
    expect(named2.sent.tool_choice).toEqual({ type: "tool", name: "weather" });
    expect(named2.leftOut).toEqual(["response_format"]);
  });
});

describe("thinking", () => {
  test.each<[Fields, Fields]>([
    [{ reasoning_effort: "low" }, { type: "enabled", budget_tokens: 2_048 }],
    [{ reasoning: { effort: "low" } }, { type: "enabled", budget_tokens: 2_048 }],
    [{ reasoning: { enabled: true } }, { type: "enabled", budget_tokens: 2_976 }],
    [{ thinking: { type: "enabled", budget_tokens: 1_024 } }, { type: "enabled", budget_tokens: 1_024 }],
  ])("%j is %j", async (asked, thinking) => {
    const { sent, leftOut } = await translate({ ...asked, top_k: 5 });
    expect(sent.thinking).toEqual(thinking);
    expect(leftOut).toEqual(["top_k"]);
  });

  test("is left out, and named, where the answer's beginning is given", async () => {
    const messages = [...hi, { role: "assistant", content: "It is \n" }];
    const { sent, leftOut } = await translate({ reasoning_effort: "high", messages });
    expect(sent).not.toHaveProperty("thinking");
    expect(sent.messages).toMatchObject([{}, { content: [{ text: "It is" }] }]);
    expect(leftOut).toEqual(["reasoning_effort"]);
  });

  test("that another service gave is left out, and named", async () => {
    const messages = [
      ...hi,
      {
        role: "assistant",
        content: "Well",
        reasoning_content: "Hm",
        reasoning_details: [{ type: "reasoning.text", text: "Hm", signature: signThinking("Hm") }],
      },
      { role: "user", content: "So?" },
    ];
    const { sent, leftOut } = await translate({ messages });
    expect(sent.messages).toMatchObject([{}, { content: [{ type: "text", text: "Well" }] }, {}]);
    expect(leftOut).toEqual(["messages.reasoning_content", "messages.reasoning_details"]);
  });
});

test("nothing is left out in silence", async () => {
  const picture = { url: "https://example.com/a.png", detail: "high" };
  const { sent, leftOut } = await translate({
    messages: [
      {
        role: "system",
        content: [
          { type: "text", text: "Be brief" },
          { type: "image_url", image_url: picture },
        ],
      },
      { role: "user", name: "ada", content: [{ type: "image_url", image_url: picture }] },
    ],
    safety_identifier: "ada",
    prompt_cache_key: "k",
    verbosity: "low",
    n: 1,
    presence_penalty: 0,
  });
  expect(sent).toMatchObject({ system: [{ text: "Be brief" }], metadata: { user_id: "ada" } });
  expect(leftOut).toEqual([
    "messages.content.image",
    "messages.content.image_url.detail",
    "messages.name",
    "prompt_cache_key",
    "verbosity",
  ]);
});

test("a sampling that a model refuses by name is left out of its calls, and of no other model's", async () => {
  served.anthropic.answerWith(({ body }) =>
    body.model === "claude-opus-5" && "temperature" in body
      ? Response.json(
          {
            type: "error",
            error: { type: "invalid_request_error", message: "`temperature` is deprecated for this model." },
          },
          { status: 400 },
        )
      : { content: [{ type: "text", text: "Hello" }] },
  );
  const newer = await translate({ model: "claude-5", temperature: 0.5 });
  expect(newer).toMatchObject({ sent: { model: "claude-opus-5" }, leftOut: ["temperature"] });
  expect(newer.sent).not.toHaveProperty("temperature");
  expect(served.anthropic.visits).toHaveLength(2);
  expect((await translate({ model: "claude-5", temperature: 0.5 })).sent).not.toHaveProperty("temperature");
  expect(served.anthropic.visits).toHaveLength(3);
  expect((await translate({ temperature: 0.5 })).sent).toHaveProperty("temperature", 0.5);
});
