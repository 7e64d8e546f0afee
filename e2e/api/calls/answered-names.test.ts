import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  streamChunks,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  (served) => `${scriptedConfiguration(served).replace("model: upstream-name", 'model: "größer/50% name"')}
  - id: vectors
    family: embedding
    rate: "1"
    price: { input_per_1m: "1.00" }
    routes: [{ provider: fake, model: upstream-vectors }]
`,
  (served) => {
    ({ provider, gateway } = served);
  },
);

const ROUTE = "fake/gr%C3%B6%C3%9Fer/50%25%20name";
const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const body = { model: "fake", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };

async function ask(more: object = {}, path = "chat/completions", headers: Record<string, string> = {}) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/${path}`, {
    key: gateway.key,
    body: { ...body, ...more },
    headers,
  });
  return { route: reply.headers.get("x-gatehouse-route"), text: await reply.text() };
}

test.each([
  ["short", "Hi"],
  ["long", "Größe ".repeat(10_000)],
])("a %s reply has the name that was asked for, and a header the route", async (_, content) => {
  const sent = chatCompletion(content, { ...usage, completion_tokens: 20_000, total_tokens: 20_011 });
  provider.answerWith(() => Response.json(sent));
  const { route, text } = await ask();
  expect(route).toBe(ROUTE);
  expect(JSON.parse(text)).toMatchObject({ ...sent, model: "fake", usage: {} });
  const message = await ask({}, "messages", { "anthropic-version": "2023-06-01" });
  expect([JSON.parse(message.text).model, message.route]).toEqual(["fake", ROUTE]);
});

test("each chunk of a stream has it, long ones and the usage, too, and a repeat is the same", async () => {
  const head = { model: "upstream-2024-08-06" };
  const chunks = [
    chunkEvent({ role: "assistant", content: "" }, head),
    ...["One ", "two ", "three "].map((content) => chunkEvent({ content }, head)),
    chunkEvent({ content: "long" }, { padding: "x".repeat(20_000), ...head }),
    chunkEvent({ content: 'a "model":"x" b' }, { ...head, choices: [{ index: 0, delta: { content: "!" } }] }),
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [], usage, ...head })}\n\n`,
    DONE,
  ];
  for (const pieces of [chunks, [chunks.join("")]]) {
    provider.answerWith(() => streamChunks(pieces));
    const more = { stream: true, max_tokens: 1_000, stream_options: { include_usage: true } };
    const headers = { "idempotency-key": `streamed-${pieces.length}` };
    const { route, text } = await ask(more, "chat/completions", headers);
    expect(route).toBe(ROUTE);
    const events = text.trim().split("\n\n").slice(0, -1);
    expect(events).toHaveLength(7);
    for (const event of events) expect(JSON.parse(event.slice("data: ".length)).model).toBe("fake");
    expect((await ask(more, "chat/completions", headers)).text).toBe(text);
  }
});

test("embeddings have it, and the receipt has the provider's own", async () => {
  const data = [{ object: "embedding", index: 0, embedding: [1] }];
  provider.answerWith(() =>
    Response.json({ object: "list", data, model: "own", usage: { total_tokens: 3 } }),
  );
  const reply = await fetchWithKey(`${gateway.baseUrl}/embeddings`, {
    key: gateway.key,
    body: { model: "vectors", input: "two words" },
  });
  expect(reply.headers.get("x-gatehouse-route")).toBe("fake/upstream-vectors");
  expect(await reply.json()).toMatchObject({ model: "vectors", data });
  const receipt = await gateway.admin("GET", `/organization/requests/${reply.headers.get("x-request-id")}`);
  expect(receipt).toMatchObject({ attempts: [{ provider: "fake", model: "upstream-vectors" }] });
});
