import { describe, expect, test } from "bun:test";
import { readCharge } from "../../support/clients/list-charges";
import { fetchWithKey, send } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  ({ baseUrl }) => `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}", circuit: false }
  - { id: messages, kind: openai, preset: anthropic, base_url: "${baseUrl}", api_key: k, circuit: false }
models:
  - id: native
    family: chat
    rate: "1"
    price:
      input_per_1m: "5.00"
      cached_input_per_1m: "0.50"
      cache_write_5m_per_1m: "6.25"
      cache_write_1h_per_1m: "10.00"
      output_per_1m: "0.00"
      tools: { web_search: "0.01" }
    max_output_tokens: 1000
    context_window: 1000000
    rate_limits: { max_tokens_per_1_minute: 100000000 }
    routes: [{ provider: messages, model: claude }]
  - id: agent
    family: chat
    rate: "1"
    price:
      input_per_1m: "5.00"
      cached_input_per_1m: "0.50"
      cache_write_5m_per_1m: "6.25"
      cache_write_1h_per_1m: "10.00"
      output_per_1m: "0.00"
    max_output_tokens: 1000
    context_window: 1000000
    rate_limits: { max_tokens_per_1_minute: 100000000 }
    routes: [{ provider: scripted, model: claude }]
  - id: large
    family: chat
    rate: "1"
    price:
      input_per_1m: "1.00"
      cached_input_per_1m: "0.10"
      output_per_1m: "10.00"
      long_context_from: 1000
      long_context: { input_per_1m: "2.00", output_per_1m: "15.00" }
      priority_rate: "2"
      tools: { web_search: "0.01" }
    max_output_tokens: 1000
    context_window: 1000000
    routes: [{ provider: scripted, model: gpt }]
  - id: plain
    family: chat
    rate: "1"
    price: { input_per_1m: "5.00", output_per_1m: "0.00" }
    max_output_tokens: 1000
    context_window: 1000000
    rate_limits: { max_tokens_per_1_minute: 100000000 }
    routes: [{ provider: scripted, model: claude }]
`,
  (served) => {
    ({ provider, gateway } = served);
  },
  { balance: "1000" },
);

/** About as many tokens as the usages below report. */
const prompt = "word ".repeat(172_000);
const answered = { completion_tokens: 9 };
/** 172,000 tokens, of which 155,000 were cached and 3,000 written, as providers tell it. */
const usages = {
  "OpenAI's": {
    ...answered,
    prompt_tokens: 172_000,
    prompt_tokens_details: { cached_tokens: 155_000, cache_write_tokens: 3_000 },
  },
  "Anthropic's": {
    input_tokens: 14_000,
    output_tokens: 9,
    cache_read_input_tokens: 155_000,
    cache_creation_input_tokens: 3_000,
    cache_creation: { ephemeral_5m_input_tokens: 3_000, ephemeral_1h_input_tokens: 0 },
  },
  "of a server with both names": {
    ...answered,
    prompt_tokens: 172_000,
    cache_read_input_tokens: 155_000,
    cache_creation_input_tokens: 3_000,
    prompt_tokens_details: { cached_tokens: 155_000, cache_creation_tokens: 3_000 },
  },
} as const;
const kinds = Object.keys(usages) as (keyof typeof usages)[];

function answerWith(usage: object): void {
  provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([
          chunkEvent({ content: "Hi" }),
          chunkEvent({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
          usageEvent(usage),
          DONE,
        ])
      : Response.json(chatCompletion("Hi", usage)),
  );
}

const ways = {
  chat: { path: "/chat/completions", headers: {}, fields: {} },
  messages: {
    path: "/messages",
    headers: { "anthropic-version": "2023-06-01" },
    fields: { max_tokens: 100 },
  },
} as const;

async function call(way: keyof typeof ways, stream: boolean, fields: object = {}): Promise<string> {
  const { path, headers, fields: own } = ways[way];
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, {
    key: gateway.key,
    headers,
    body: { model: "agent", messages: [{ role: "user", content: prompt }], stream, ...own, ...fields },
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  return reply.headers.get("x-request-id") ?? "";
}

describe.each(kinds)("usage in the form %s costs the same", (kind) => {
  test.each([
    ["chat", false],
    ["chat", true],
    ["messages", false],
    ["messages", true],
  ] as const)("by %s, streamed: %p", async (way, stream) => {
    answerWith(usages[kind]);
    expect(await readCharge(gateway, await call(way, stream))).toMatchObject({
      amount: "0.16625",
      basis: "reported",
      prompt_tokens: 172_000,
      cached_tokens: 155_000,
      cache_write_tokens: 3_000,
      price: { input_per_1m: "5.00", cached_input_per_1m: "0.50", cache_write_5m_per_1m: "6.25" },
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });
});

describe("a provider that speaks messages itself", () => {
  const answer = (usage: object) =>
    provider.answerWith(({ body }) => {
      const head = { id: "msg_1", type: "message", role: "assistant", model: "claude", stop_reason: null };
      const content = [{ type: "text", text: "Hi" }];
      if (!JSON.parse(body).stream)
        return Response.json({ ...head, content, stop_reason: "end_turn", usage });
      const event = (type: string, rest: object) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
      const text = { type: "text_delta", text: "Hi" };
      return streamChunks([
        event("message_start", { message: { ...head, content: [], usage: { ...usage, output_tokens: 1 } } }),
        event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
        event("content_block_delta", { index: 0, delta: text }),
        event("content_block_stop", { index: 0 }),
        event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }),
        event("message_stop", {}),
      ]);
    });

  test.each([false, true])("costs the same, streamed: %p", async (stream) => {
    answer(usages["Anthropic's"]);
    expect(await readCharge(gateway, await call("messages", stream, { model: "native" }))).toMatchObject({
      amount: "0.16625",
      basis: "reported",
      prompt_tokens: 172_000,
      cached_tokens: 155_000,
      cache_write_tokens: 3_000,
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("is held for writes that last an hour, and charged for them and for the searches that it ran", async () => {
    const system = [{ type: "text", text: prompt, cache_control: { type: "ephemeral", ttl: "1h" } }];
    const tools = [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }];
    answer({
      input_tokens: 2_000,
      output_tokens: 9,
      cache_creation_input_tokens: 170_000,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 170_000 },
      server_tool_use: { web_search_requests: 2 },
    });
    const fields = { model: "native", system, tools, messages: [{ role: "user", content: "Hi" }] };
    // 2,000 × 5 + 170,000 × 10, and 2 × 0.01.
    const entry = await readCharge(gateway, await call("messages", false, fields));
    expect(entry).toMatchObject({
      amount: "1.73",
      cache_write_1h_tokens: 170_000,
      tool_calls: { web_search: 2 },
    });
    const path = `/organization/ledger?kind=provider_variance&request_id=${entry.request_id}`;
    expect((await gateway.admin<{ data: unknown[] }>("GET", path)).data).toEqual([]);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });
});

test("a model without prices of classes charges all of the prompt as input", async () => {
  answerWith(usages["OpenAI's"]);
  const entry = await readCharge(gateway, await call("chat", false, { model: "plain" }));
  expect(entry).toMatchObject({ amount: "0.86", cached_tokens: 155_000 });
  expect(entry.price).toEqual({ input_per_1m: "5.00", output_per_1m: "0.00", rate: "1.00" });
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a message tells what was read from the cache and written to it", async () => {
  answerWith(usages["OpenAI's"]);
  const { body } = await send(`${gateway.baseUrl}/messages`, {
    key: gateway.key,
    headers: ways.messages.headers,
    body: { model: "agent", max_tokens: 100, messages: [{ role: "user", content: prompt }] },
  });
  expect(body.usage).toEqual({
    input_tokens: 14_000,
    cache_read_input_tokens: 155_000,
    cache_creation_input_tokens: 3_000,
    cache_creation: { ephemeral_5m_input_tokens: 3_000, ephemeral_1h_input_tokens: 0 },
    output_tokens: 9,
  });
});

test.each([
  [
    "more cached and written than there are",
    { prompt_tokens_details: { cached_tokens: 170_000, cache_write_tokens: 2_001 } },
  ],
  [
    "two figures of the cached",
    { cache_read_input_tokens: 100, prompt_tokens_details: { cached_tokens: 99 } },
  ],
  [
    "hits and misses that aren't the prompt",
    { prompt_cache_hit_tokens: 155_000, prompt_cache_miss_tokens: 9 },
  ],
])("a contradiction is charged as input and marked: %s", async (_, contradicting) => {
  answerWith({ ...answered, prompt_tokens: 172_000, ...contradicting });
  const entry = await readCharge(gateway, await call("chat", true));
  expect(entry).toMatchObject({ amount: "0.86", prompt_tokens: 172_000, is_cache_contradicted: true });
  expect([entry.cached_tokens, entry.price?.cached_input_per_1m]).toEqual([undefined, undefined]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("figures that are no counts are none", async () => {
  answerWith({
    ...answered,
    prompt_tokens: 172_000,
    prompt_tokens_details: { cached_tokens: -5, cache_write_tokens: "many" },
    cache_read_input_tokens: 1e30,
  });
  const entry = await readCharge(gateway, await call("chat", false));
  expect([entry.amount, entry.cached_tokens, entry.is_cache_contradicted]).toEqual([
    "0.86",
    undefined,
    undefined,
  ]);
});

describe("a model with prices of a long context, of priority and of a tool", () => {
  const short = "word ".repeat(900);
  const ask = async (fields: object, usage: object, rest: object = {}) => {
    const told = { completion_tokens: 100, ...usage };
    provider.answerWith(() => Response.json({ ...chatCompletion("word ".repeat(100), told), ...rest }));
    const body = { model: "large", max_tokens: 200, messages: [{ role: "user", content: short }], ...fields };
    return send(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  };
  const charge = async (fields: object, usage: object, rest?: object) =>
    readCharge(gateway, (await ask(fields, usage, rest)).headers.get("x-request-id"));

  test("charges all of a longer prompt at the prices of the long context, from one token more on", async () => {
    // 1,000 × 1 + 100 × 10; then 601 × 2 + 400 × 0.10 + 100 × 15.
    expect(await charge({}, { prompt_tokens: 1_000 })).toMatchObject({ amount: "0.002" });
    const cached = { prompt_tokens: 1_001, prompt_tokens_details: { cached_tokens: 400 } };
    const long = await charge({}, cached);
    expect(long).toMatchObject({
      amount: "0.002742",
      price: {
        input_per_1m: "2.00",
        cached_input_per_1m: "0.10",
        output_per_1m: "15.00",
        long_context_from: 1_000,
      },
    });
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("charges the rate of priority where the provider gives it, and else the usual one", async () => {
    const asked = { service_tier: "priority" };
    const usage = { prompt_tokens: 1_000 };
    expect(await charge(asked, usage, asked)).toMatchObject({
      amount: "0.004",
      price: { rate: "2.00", is_priority: true },
    });
    const lowered = await charge(asked, usage, { service_tier: "default" });
    expect([lowered.amount, lowered.price?.rate, lowered.price?.is_priority]).toEqual([
      "0.002",
      "1.00",
      undefined,
    ]);
    const refused = await ask({ ...asked, model: "plain" }, usage);
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([
      400,
      "unpriced_field",
      "service_tier",
    ]);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });

  test("charges each call of a tool that the provider ran, or one where it reports none", async () => {
    const usage = { prompt_tokens: 1_000 };
    const searches = { ...usage, server_tool_use: { web_search_requests: 3 } };
    const tools = [{ type: "web_search", max_uses: 4 }];
    expect(await charge({ tools }, searches)).toMatchObject({
      amount: "0.032",
      tool_calls: { web_search: 3 },
      price: { tools: { web_search: "0.01" } },
    });
    expect(await charge({ tools }, usage)).toMatchObject({ amount: "0.002" });
    expect(await charge({ web_search_options: {} }, usage)).toMatchObject({ amount: "0.012" });
    const refused = await ask({ tools: [{ type: "code_interpreter" }] }, usage);
    expect([refused.status, refused.error.param]).toEqual([400, "tools.0.type"]);
    // No more is charged than was held for.
    const absurd = { ...usage, server_tool_use: { web_search_requests: 1_000_000 } };
    const entry = await charge({ tools }, absurd);
    expect(Number(entry.amount)).toBeLessThan(0.06);
    expect(await findDoctorFaults(gateway)).toEqual([]);
  });
});
