import { describe, expect, test } from "bun:test";
import { createAnthropicClient } from "../../support/clients/anthropic-client";
import { officialClient } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { type Protocols, type ProviderName, serveProtocols } from "../../support/protocols/serve-protocols";

let served: Protocols;
serveProtocols((protocols) => {
  served = protocols;
});

type Fields = Record<string, unknown>;
const usage = { prompt: 10, cached: 0, written: 0, written1h: 0, completion: 5, reasoning: 0 };
const chatProviders = ["openai", "reasoning", "gemini"] as const;

/** What a provider of chat was sent for a message, the answer to it, and what is named as left out of it. */
async function translate(model: ProviderName, message: Fields) {
  const client = createAnthropicClient(served.gateway);
  const body = { model, max_tokens: 4_000, messages: [{ role: "user", content: "Hi" }], ...message };
  const { data, response } = await client.messages.create(body as never).withResponse();
  const leftOut = response.headers.get("x-gatehouse-left-out")?.split(", ").toSorted() ?? [];
  const { attempts } = await readReceipt(served.gateway, response.headers.get("x-request-id"));
  const sent = served.readSent(model);
  return { data: data as unknown as { content: Fields[] }, sent, leftOut, attempts };
}

const tools = [
  { name: `${"a.long.name.".repeat(8)}`, input_schema: { type: "object" } },
  { name: "weather", input_schema: { type: "object", anyOf: [{ required: ["city"] }] }, strict: true },
];
/** What a session of an agent holds: long names, ids, results with pictures, failures, words beside results. */
const session: Fields = {
  system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }],
  tools,
  tool_choice: { type: "auto", disable_parallel_tool_use: true },
  metadata: { user_id: "u".repeat(90) },
  stop_sequences: ["a", "b", "c", "d", "e"],
  temperature: 0.3,
  top_k: 5,
  thinking: { type: "enabled", budget_tokens: 1_024 },
  output_config: {
    format: { type: "json_schema", schema: { type: "object", properties: { a: { type: "string" } } } },
  },
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0" } },
        {
          type: "document",
          title: "a.pdf",
          source: { type: "base64", media_type: "application/pdf", data: "JVBERi0" },
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm", signature: "another's" },
        { type: "tool_use", id: `toolu_${"x".repeat(60)}`, name: tools[0]?.name, input: {} },
        { type: "tool_use", id: "toolu_2", name: "weather", input: { city: "Bern" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "Rain" },
        {
          type: "tool_result",
          tool_use_id: `toolu_${"x".repeat(60)}`,
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0" } }],
        },
        { type: "text", text: "So?" },
      ],
    },
  ],
};

describe.each(chatProviders)("%s", (model) => {
  test("takes a whole session, and what it doesn't is named", async () => {
    served.answerWith(model, { text: "{}", end: "end", usage });
    const { sent, leftOut, attempts } = await translate(model, session);
    expect(sent.messages).toHaveLength(6);
    expect(leftOut).toEqual([
      "messages.content.thinking",
      "output_config.format.strict",
      "stop_sequences.4",
      "system.cache_control",
      "tools.input_schema.anyOf",
      "tools.strict",
      "top_k",
    ]);
    const refused = {
      openai: ["reasoning_effort"],
      reasoning: ["temperature", "stop"],
      gemini: [],
    }[model];
    expect(attempts.at(-1)?.left_out.toSorted()).toEqual(refused.toSorted());
    for (const field of refused) expect(sent).not.toHaveProperty(field);
  });

  test("a call is answered, also where it began with another service", async () => {
    const call = { name: "weather", input: { city: "Bern" } };
    served.answerWith(model, { calls: [call], end: "calls", usage });
    const messages = [{ role: "user", content: "Hi" }];
    const weather = [{ name: "weather", input_schema: { type: "object" } }];
    const { data } = await translate(model, { messages, tools: weather });
    const use = data.content.find(({ type }) => type === "tool_use");
    const result = { type: "tool_result", tool_use_id: use?.id, content: "Sun" };
    served.answerWith(model, { text: "Sunny", end: "end", usage });
    const answered = [
      ...messages,
      { role: "assistant", content: data.content },
      { role: "user", content: [result] },
    ];
    expect((await translate(model, { messages: answered, tools: weather })).data.content).toMatchObject([
      { text: "Sunny" },
    ]);
    const others = [
      ...messages,
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", ...call }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Sun" }] },
    ];
    expect((await translate(model, { messages: others, tools: weather })).data.content).toMatchObject([
      { text: "Sunny" },
    ]);
  });

  test.each([false, true])("ids of calls are new in a session, streamed: %p", async (isStream) => {
    served.answerWith(model, {
      calls: [
        { name: "weather", input: { n: 1 } },
        { name: "weather", input: { n: 2 } },
      ],
      end: "calls",
      usage,
    });
    const client = createAnthropicClient(served.gateway);
    const weather = [{ name: "weather", input_schema: { type: "object" as const } }];
    const messages: Fields[] = [{ role: "user", content: "Hi" }];
    const ids: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const body = { model, max_tokens: 100, messages, tools: weather } as never;
      const { content } = isStream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      const uses = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      ids.push(...uses);
      const results = uses.map((id) => ({ type: "tool_result", tool_use_id: id, content: id }));
      messages.push({ role: "assistant", content }, { role: "user", content: results });
    }
    expect(new Set(ids).size).toBe(6);
  });
});

describe("what a provider's settings say that its server refuses is never sent", () => {
  const strict = { type: "object", properties: {}, required: [], additionalProperties: false };

  test("whoever wrote it: a long user of OpenAI's is hashed, and named", async () => {
    served.answerWith("openai", { text: "Hi", end: "end", usage });
    const client = officialClient(served.gateway.baseUrl, served.gateway.key);
    const body = {
      model: "openai",
      messages: [{ role: "user" as const, content: "Hi" }],
      user: "u".repeat(65),
    };
    const { response } = await client.chat.completions.create(body).withResponse();
    expect(served.readSent("openai").user).toMatch(/^[0-9a-f]{64}$/);
    expect(response.headers.get("x-gatehouse-left-out")).toBe("long_user");
    const short = await client.chat.completions.create({ ...body, user: "ada" }).withResponse();
    expect(served.readSent("openai").user).toBe("ada");
    expect(short.response.headers.get("x-gatehouse-left-out")).toBeNull();
  });

  test("strict, a setting, and the id of a user in a client's own chat", async () => {
    const refused_fields = ["strict", "user", "parallel_tool_calls"];
    await served.gateway.admin("POST", "/organization/providers", {
      id: "narrow",
      kind: "openai",
      base_url: served.chat.openai.baseUrl,
      api_key: "sk-upstream",
      refused_fields,
    });
    await served.gateway.admin("POST", "/organization/models", {
      id: "narrow",
      family: "chat",
      rate: "1",
      price: { input_per_1m: "1", output_per_1m: "1" },
      routes: [{ provider: "narrow", model: "gpt" }],
    });
    const client = officialClient(served.gateway.baseUrl, served.gateway.key);
    const { response } = await client.chat.completions
      .create({
        model: "narrow",
        messages: [{ role: "user", content: 'Say "strict": true' }],
        user: "ada",
        tools: [{ type: "function", function: { name: "a", strict: true, parameters: strict } }],
        response_format: { type: "json_schema", json_schema: { name: "b", strict: true, schema: strict } },
      })
      .withResponse();
    const sent = served.readSent("openai");
    expect(sent).toMatchObject({ messages: [{ content: 'Say "strict": true' }] });
    expect(JSON.stringify([sent.tools, sent.response_format])).not.toContain("strict");
    expect(sent).not.toHaveProperty("user");
    expect(response.headers.get("x-gatehouse-left-out")).toBe("strict, user");
  });
});
