import { afterAll, beforeAll, expect, test } from "bun:test";
import pg from "pg";
import { openTemporaryPostgres } from "@/lib/gateway/database/testing/open-temporary-postgres";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

let store: Awaited<ReturnType<typeof openTemporaryPostgres>>;
let provider: ScriptedProvider;
let one: ServedGateway;
let two: ServedGateway;
let rows: (query: string) => Promise<Record<string, unknown>[]>;
let disconnect: () => Promise<void>;

beforeAll(async () => {
  store = await openTemporaryPostgres();
  provider = startScriptedProvider();
  const bucket = `outputs: { store: "s3://files", endpoint: "http://127.0.0.1:9", access_key_id: a, secret_access_key: b }`;
  const config = `${scriptedConfiguration(provider)}${bucket}\n`;
  const options = { config, databaseUrl: store.url, hasRunningClock: true, balance: "1.00" };
  one = await serveGateway(options);
  two = await serveGateway({ ...options, adminKey: one.adminKey, seed: 2 });
  const client = new pg.Client(store.url);
  await client.connect();
  rows = async (query) => (await client.query<Record<string, unknown>>(query)).rows;
  disconnect = () => client.end();
}, 60_000);

afterAll(async () => {
  await one?.close();
  await two?.close();
  await disconnect?.();
  await provider?.stop();
  await store?.remove();
}, 60_000);

const usage = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 };
const body = { model: "fake", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const call = (gateway: ServedGateway, more: object = {}, key = one.key) =>
  fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key, body: { ...body, ...more } });

test("a plain and a streamed call are held and charged, by the gateway that was asked", async () => {
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  const plain = await call(one);
  expect([plain.status, (await plain.json()).choices[0].message.content]).toEqual([200, "Hi"]);
  expect(plain.headers.get("x-ratelimit-remaining-requests")).toBe("599");
  provider.answerWith(() =>
    streamChunks([
      chunkEvent({ content: "Hi" }),
      `data: ${JSON.stringify({ choices: [], usage })}\n\n`,
      DONE,
    ]),
  );
  const streamed = await call(one, { stream: true });
  expect(await streamed.text()).toContain("[DONE]");
  const charges = await rows(
    "SELECT amount, outcome, stream, held FROM ledger_entries WHERE kind = 'charge' ORDER BY seq",
  );
  expect(charges).toMatchObject([
    { amount: "17000", outcome: "completed", stream: "0" },
    { amount: "17000", outcome: "completed", stream: "1" },
  ]);
  expect(await rows("SELECT count(*) FROM holds")).toEqual([{ count: "0" }]);
});

test("two gateways are one: a key of one calls the other, and its balance and limits are shared", async () => {
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  const replies = await Promise.all([call(one, {}, two.key), call(two, {}, two.key)]);
  for (const reply of replies) await reply.text();
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200]);
});

test("what one gateway changes works at the other at once: a new key, a limit, a price and a model's permission", async () => {
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  const project = `/organization/projects/${one.projectId}`;
  const ask = (path: string, sent: object) =>
    send(`${one.baseUrl}${path}`, { key: one.adminKey, body: sent });
  const { body: created } = await ask(`${project}/api_keys`, { name: "Another" });
  const key = String(created.value);
  expect((await call(two, {}, key)).status).toBe(200);
  await ask("/organization/models/fake", { price: { input_per_1m: "3.00", output_per_1m: "7.00" } });
  const priced = await call(two, {}, key);
  const [charge] = await rows(
    `SELECT input_per_1m FROM ledger_entries WHERE request_id = '${priced.headers.get("x-request-id")}'`,
  );
  expect(charge).toEqual({ input_per_1m: "3000000000" });
  const limits = `${project}/rate_limits/rl_fake`;
  await ask(limits, { max_requests_per_1_minute: 1 });
  const refused = await call(two, {}, key);
  expect([refused.status, (await refused.json()).error.code]).toEqual([429, "max_requests_per_1_minute"]);
  await ask(limits, { max_requests_per_1_minute: 600 });
  expect((await call(two, {}, key)).status).toBe(200);
});

test("a repeat waits for the call that another gateway has under way, and gets its reply", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  provider.answerWith(() => {
    asked.resolve();
    return answer.promise;
  });
  const once = (gateway: ServedGateway, more: object = {}) =>
    fetch(`${gateway.baseUrl}/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${one.key}`,
        "content-type": "application/json",
        "idempotency-key": "one-of-two",
      },
      body: JSON.stringify({ ...body, ...more }),
    });
  const first = once(one);
  await asked.promise;
  const other = await once(two, { max_tokens: 7 });
  expect([other.status, (await other.json()).error.code]).toEqual([409, "idempotency_conflict"]);
  const repeat = once(two);
  answer.resolve(Response.json(chatCompletion("Once", usage)));
  const replies = await Promise.all([first, repeat]);
  const texts = await Promise.all(replies.map((reply) => reply.text()));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(texts[1]).toBe(texts[0] ?? "");
  expect(replies[1]?.headers.get("idempotency-replayed")).toBe("true");
});

test("a key that one gateway revokes is refused by the other from its next call on", async () => {
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  const before = await call(one, {}, two.key);
  await before.text();
  const keys = `${two.baseUrl}/organization/projects/${two.projectId}/api_keys`;
  const { body: listed } = await send(keys, { key: two.adminKey });
  for (const { id } of listed.data as { id: string }[])
    await send(`${keys}/${id}`, { key: two.adminKey, method: "DELETE" });
  const after = await call(one, {}, two.key);
  expect([before.status, after.status]).toEqual([200, 401]);
});

test("a spend alert that calls of both gateways reach at the same time fires once", async () => {
  provider.answerWith(() => Response.json(chatCompletion("Hi", usage)));
  const ask = (path: string, sent: object) =>
    send(`${one.baseUrl}${path}`, { key: one.adminKey, body: sent });
  const { body: created } = await ask(`/organization/projects/${one.projectId}/api_keys`, {
    name: "Alerted",
  });
  // Eleven tokens of prompt cost three cents and more.
  await ask("/organization/models/fake", { price: { input_per_1m: "3000.00", output_per_1m: "1.00" } });
  const alert = await ask("/organization/spend_alerts", {
    currency: "USD",
    interval: "month",
    threshold_amount: 4,
    notification_channel: { type: "email", recipients: ["ada@example.com"] },
  });
  expect(alert.status).toBe(200);
  const replies = await Promise.all(
    [one, two, one, two, one, two].map((gateway) => call(gateway, { max_tokens: 5 }, String(created.value))),
  );
  for (const reply of replies) await reply.text();
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  const countFired = async () => (await rows("SELECT id FROM spend_alert_firings")).length;
  await until("the alert has fired", async () => (await countFired()) > 0);
  // What the other gateway still has to say of it comes before its next change.
  for (const gateway of [one, two])
    await gateway.admin("POST", "/organization/payments", { amount: "1.00", reference: "r" });
  expect(await countFired()).toBe(1);
});
