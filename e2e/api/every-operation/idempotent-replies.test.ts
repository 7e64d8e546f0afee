import { afterEach, beforeEach, expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";
import { queryDatabase, readStored } from "../../support/stored-data/query-database";

const CANARY = "a-word-that-stands-nowhere-else";
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(async () => {
  provider = startScriptedProvider();
  provider.answerWith(({ body }) =>
    JSON.parse(body).stream
      ? streamChunks([chunkEvent({ content: CANARY }), usageEvent(usage), DONE])
      : Response.json({ choices: [{ message: { role: "assistant", content: CANARY } }], usage }),
  );
  gateway = await serveGateway({ config: scriptedConfiguration(provider) });
});

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

async function call(key: string, stream: boolean) {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }], stream },
    headers: { "idempotency-key": key },
  });
  return { status: reply.status, text: await reply.text() };
}

test.each([false, true])(
  "a kept reply is sealed on disk and given to its repeat, streamed: %p",
  async (stream) => {
    const first = await call("k1", stream);
    expect(first.text).toContain(CANARY);
    expect(await readStored(gateway)).not.toContain(CANARY);
    await gateway.restart();
    expect(await call("k1", stream)).toEqual(first);
    expect(provider.visits).toHaveLength(1);
  },
);

test("a kept reply that was moved under another key does not open", async () => {
  await call("k1", false);
  await call("k2", false);
  await queryDatabase(
    gateway,
    "UPDATE idempotency_keys SET reply = (SELECT reply FROM idempotency_keys WHERE key = 'k1') WHERE key = 'k2'",
  );
  const moved = await call("k2", false);
  expect(moved.status).toBe(409);
  expect(JSON.parse(moved.text).error.code).toBe("idempotency_charged");
});
