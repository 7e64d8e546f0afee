import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createAnthropicClient, echoMessage } from "../../support/clients/anthropic-client";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForEach } from "../../support/gateways/serve-scripted";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
let client: Anthropic;

serveScriptedForEach((served) => {
  ({ provider, gateway } = served);
  client = createAnthropicClient(gateway);
});

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const tool = { name: "weather", input_schema: { type: "object" as const, properties: {} } };
const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
const plain = { ...echoMessage("Weather?"), model: "fake", tools: [tool] };

/** Two turns: the provider answers with these fields, as a whole or in these deltas, and gets the answer back. */
async function converse(asking: object, fields: object, deltas: readonly object[] = [fields]) {
  const returned: unknown[] = [];
  const contents: Anthropic.ContentBlock[][] = [];
  for (const stream of [false, true]) {
    provider.answerWith(() =>
      stream
        ? streamChunks([...deltas.map((delta) => chunkEvent(delta)), usageEvent(usage), DONE])
        : Response.json({ model: "x", choices: [{ index: 0, message: fields }], usage }),
    );
    const first = { ...plain, ...asking };
    const { content } = stream
      ? await client.messages.stream(first).finalMessage()
      : await client.messages.create(first);
    contents.push(content);
    provider.answerWith(() =>
      Response.json({ model: "x", choices: [{ message: { content: "Sunny" } }], usage }),
    );
    const results = content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "Sun" }]
        : [],
    );
    await client.messages.create({
      ...first,
      messages: [...plain.messages, { role: "assistant", content }, { role: "user", content: results }],
    });
    returned.push(JSON.parse(provider.visits.at(-1)?.body ?? "").messages.slice(1));
  }
  expect(returned[1]).toEqual(returned[0]);
  return { contents, returned: returned[0] as object[] };
}

const adaptive = { thinking: { type: "adaptive" } };
const omitted = { thinking: { type: "adaptive", display: "omitted" } };

describe("what a provider wants again of its answer comes back to it", () => {
  test.each(["reasoning_content", "reasoning", "thoughts_of_next_month"])(
    "%s, whether the caller asked to see it or not",
    async (name) => {
      const fields = { content: null, [name]: "Let me see", tool_calls: [call] };
      const deltas = [{ [name]: "Let me " }, { [name]: "see" }, { tool_calls: [{ index: 0, ...call }] }];
      for (const asking of [adaptive, omitted, {}]) {
        const { returned, contents } = await converse(asking, fields, deltas);
        expect(returned).toEqual([
          { role: "assistant", content: null, [name]: "Let me see", tool_calls: [call] },
          { role: "tool", tool_call_id: "c1", content: "Sun" },
        ]);
        for (const content of contents) expect(content.at(-1)?.type).toBe("tool_use");
      }
    },
  );

  test("a thinking block is signed, precedes the call, and shows nothing to callers who didn't ask", async () => {
    const fields = { content: "Hm.", reasoning_content: "Let me see", tool_calls: [call] };
    const deltas = [
      { reasoning_content: "Let me see" },
      { content: "Hm." },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    const shown = await converse(adaptive, fields, deltas);
    const hidden = await converse(omitted, fields, deltas);
    const unasked = await converse({}, fields, deltas);
    for (const content of shown.contents)
      expect(content).toMatchObject([
        { type: "thinking", thinking: "Let me see", signature: expect.stringMatching(/./) },
        { type: "text" },
        { type: "tool_use" },
      ]);
    for (const content of hidden.contents)
      expect(content).toMatchObject([
        { type: "thinking", thinking: "" },
        { type: "text" },
        { type: "tool_use" },
      ]);
    for (const content of unasked.contents)
      expect(content).toMatchObject([{ type: "redacted_thinking" }, { type: "text" }, { type: "tool_use" }]);
  });

  test("reasoning_details in pieces, with their signatures", async () => {
    const details = [
      { type: "reasoning.text", text: "Let me see", index: 0, signature: "s1" },
      { type: "reasoning.encrypted", data: "abc", id: "e1", index: 1 },
    ];
    const fields = { content: null, reasoning: "Let me see", reasoning_details: details, tool_calls: [call] };
    const deltas = [
      { reasoning: "Let me ", reasoning_details: [{ type: "reasoning.text", text: "Let me ", index: 0 }] },
      { reasoning: "see", reasoning_details: [{ type: "reasoning.text", text: "see", index: 0 }] },
      { reasoning_details: [{ type: "reasoning.text", signature: "s1", index: 0 }, details[1]] },
      { tool_calls: [{ index: 0, ...call }] },
    ];
    for (const asking of [adaptive, {}]) {
      const { returned } = await converse(asking, fields, deltas);
      expect(returned[0]).toEqual({ role: "assistant", ...fields });
    }
  });

  test("a signature on a tool call", async () => {
    const signed = { ...call, extra_content: { google: { thought_signature: "c2ln+/==" } } };
    const { returned } = await converse({}, { content: null, tool_calls: [signed] }, [
      { tool_calls: [{ index: 0, ...signed }] },
    ]);
    expect(returned).toEqual([
      { role: "assistant", content: null, tool_calls: [signed] },
      { role: "tool", tool_call_id: "c1", content: "Sun" },
    ]);
  });

  test("thinking that stood in the content", async () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Let me see" }] };
    const fields = { content: [thought, { type: "text", text: "Hm." }], tool_calls: [call] };
    const { returned } = await converse(adaptive, fields);
    expect(returned[0]).toEqual({ role: "assistant", ...fields });
  });
});

test("what another service sealed is left out and named, and a broken seal is none", async () => {
  provider.answerWith(() => Response.json({ model: "x", choices: [{ message: { content: "42" } }], usage }));
  for (const signature of ["EqQBCgIYAhIM", "gh1_", "gh1_bm9uZQ", "gh1_eyJvcmlnaW4iOjF9"]) {
    const { response } = await client.messages
      .create({
        ...plain,
        messages: [
          ...plain.messages,
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hm", signature },
              { type: "text", text: "Well" },
            ],
          },
          { role: "user", content: "So?" },
        ],
      })
      .withResponse();
    expect(response.headers.get("x-gatehouse-left-out")).toBe("messages.content.thinking");
    expect(JSON.parse(provider.visits.at(-1)?.body ?? "").messages[1]).toEqual({
      role: "assistant",
      content: "Well",
    });
  }
});

describe("between providers", () => {
  const route = (id: string) => ({ provider: id, model: `${id}-name` });
  const declare = (id: string, { baseUrl }: Pick<ScriptedProvider, "baseUrl">) => ({
    id,
    kind: "openai",
    base_url: baseUrl,
    api_key: "provider-secret",
    circuit: false,
  });
  let other: ScriptedProvider;
  let both: ServedGateway;

  beforeEach(async () => {
    other = startScriptedProvider();
    const providers = [declare("a", provider), declare("again", provider), declare("b", other)];
    const price = { input_per_1m: "1", output_per_1m: "1" };
    const models = [
      { id: "m", family: "chat", rate: "1", price, routes: [route("a"), route("b")] },
      { id: "again", family: "chat", rate: "1", price, routes: [route("again")] },
    ];
    const config = JSON.stringify({ providers, models });
    both = await serveGateway({ config, isExpectedFault: isProviderFault });
  });
  afterEach(async () => {
    await both.close();
    await other.stop();
  });

  test("only the server that gave an answer gets it back, with any of its accounts", async () => {
    const anthropic = createAnthropicClient(both);
    const signed = { ...call, extra_content: { google: { thought_signature: "c2ln" } } };
    const fields = { content: null, reasoning_content: "Let me see", tool_calls: [signed] };
    provider.answerWith(() => Response.json({ model: "x", choices: [{ message: fields }], usage }));
    const { content } = await anthropic.messages.create({ ...plain, model: "m" });
    const use = content.find((block) => block.type === "tool_use");
    const results = [{ type: "tool_result" as const, tool_use_id: use?.id ?? "", content: "Sun" }];
    const messages = [
      ...plain.messages,
      { role: "assistant" as const, content },
      { role: "user" as const, content: results },
    ];
    const answered = { model: "x", choices: [{ message: { content: "Sunny" } }], usage };
    provider.answerWith(({ body }) =>
      JSON.parse(body).model === "a-name"
        ? Response.json({ error: { message: "Down" } }, { status: 503 })
        : Response.json(answered),
    );
    other.answerWith(() => Response.json(answered));
    await anthropic.messages.create({ ...plain, model: "m", messages });
    await anthropic.messages.create({ ...plain, model: "again", messages });
    const historyOf = ({ visits }: ScriptedProvider) =>
      JSON.parse(visits.at(-1)?.body ?? "").messages.slice(1);
    const result = { role: "tool", tool_call_id: "c1", content: "Sun" };
    expect(historyOf(other)).toEqual([{ role: "assistant", content: null, tool_calls: [call] }, result]);
    expect(historyOf(provider)).toEqual([{ role: "assistant", ...fields }, result]);
  });
});

test("in a chat completion, fields that are not the gateway's pass both ways as they are", async () => {
  const signed = { ...call, extra_content: { google: { thought_signature: "c2ln" } } };
  const fields = {
    content: null,
    reasoning_content: "Hm",
    reasoning_details: [{ a: 1 }],
    tool_calls: [signed],
  };
  provider.answerWith(() => Response.json({ model: "x", choices: [{ index: 0, message: fields }], usage }));
  const history = { role: "assistant", ...fields, field_of_next_month: [1] };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "x".repeat(200_000) }, history] },
  });
  expect((await reply.json()).choices[0].message).toEqual(fields);
  expect(JSON.parse(provider.visits.at(-1)?.body ?? "").messages[1]).toEqual(history);
});

test("a seal survives bodies and events that are read on a thread", async () => {
  const details = [{ type: "reasoning.encrypted", data: "x".repeat(40_000) }];
  const thought = { reasoning_content: "Let me see", reasoning_details: details };
  const fields = { content: null, ...thought, tool_calls: [call] };
  for (const asking of [adaptive, {}]) {
    const { returned } = await converse({ ...asking, system: "s".repeat(200_000) }, fields);
    expect(returned.at(-2)).toEqual({ role: "assistant", ...fields });
  }
});
