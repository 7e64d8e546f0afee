import { afterEach, beforeEach, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { DAY_MS } from "@/lib/contract/durations";
import { openSqlite } from "@/lib/gateway/database/open-sqlite";
import { listCharges } from "../../support/clients/list-charges";
import { listOutcomes } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(async () => {
  provider = startScriptedProvider();
  let answers = 0;
  provider.answerWith(() => completion(`answer ${++answers}`));
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config: scriptedConfiguration(provider) });
});

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

const completion = (content: string) => Response.json(chatCompletion(content, usage));

interface RequestOptions {
  key?: string;
  content?: string;
  stream?: boolean;
  apiKey?: string;
  signal?: AbortSignal;
}

async function send({ key = "k1", content = "Hello", stream = false, apiKey, signal }: RequestOptions = {}) {
  return fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: apiKey ?? gateway.key,
    body: { model: "fake", messages: [{ role: "user", content }], stream },
    headers: { "idempotency-key": key },
    ...(signal && { signal }),
  });
}

async function call(asked?: RequestOptions) {
  const reply = await send(asked);
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

const readCode = ({ text }: { text: string }) => JSON.parse(text).error.code;

const charges = () => listCharges(gateway);

test("a repeat gets the same bytes for no second charge, also after a restart, until 24 hours are over", async () => {
  const first = await call();
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  gateway.pass(DAY_MS - 1);
  await gateway.restart();
  const second = await call();
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(second.headers.get("original-request")).toBe(first.headers.get("x-request-id"));
  expect([(await charges()).length, provider.visits.length]).toEqual([1, 1]);
  gateway.pass(1);
  expect(JSON.parse((await call()).text).choices[0].message.content).toBe("answer 2");
  expect(await charges()).toHaveLength(2);
});

test("50 at once with one key are one call, one charge and one limit unit, and all get its answer", async () => {
  await gateway.setLimits("fake", { max_requests_per_1_minute: 1 });
  const replies = await Promise.all(Array.from({ length: 50 }, () => call()));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(replies[0]?.status).toBe(200);
  expect(replies.filter(({ headers }) => headers.has("idempotency-replayed"))).toHaveLength(49);
  expect([(await charges()).length, provider.visits.length]).toEqual([1, 1]);
});

test("another body is a conflict, in flight and afterwards; the same key of another project is not", async () => {
  const [arrived, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  provider.answerWith(async () => {
    arrived.resolve();
    await hold.promise;
    return completion("first");
  });
  const first = call();
  await arrived.promise;
  expect(readCode(await call({ content: "Other" }))).toBe("idempotency_conflict");
  hold.resolve();
  await first;
  const conflict = await call({ content: "Other" });
  expect([conflict.status, readCode(conflict)]).toEqual([409, "idempotency_conflict"]);
  const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Second" });
  const keys = `/organization/projects/${project.id}/api_keys`;
  const { value: apiKey } = await gateway.admin<{ value: string }>("POST", keys, { name: "Test" });
  const other = await call({ content: "Other", apiKey });
  expect([other.status, other.headers.has("idempotency-replayed")]).toEqual([200, false]);
  expect(await charges()).toHaveLength(2);
});

test("refuses an invalid key before anything is counted", async () => {
  for (const key of ["k".repeat(256), "a b"]) {
    const refused = await call({ key });
    expect([refused.status, JSON.parse(refused.text).error.param]).toEqual([400, "Idempotency-Key"]);
  }
  expect(provider.visits).toEqual([]);
});

test("a stream is replayed event by event as it went out, also through Anthropic's client", async () => {
  provider.answerWith(() =>
    streamChunks([chunkEvent({ content: "Hé" }), chunkEvent({ content: "llo" }), usageEvent(usage), DONE]),
  );
  const first = await call({ stream: true });
  const second = await call({ stream: true });
  expect(second.text).toBe(first.text);
  expect(second.text).toEndWith(DONE);
  expect(second.headers.get("content-type")).toBe("text/event-stream");
  const client = new Anthropic({ baseURL: gateway.baseUrl.slice(0, -3), apiKey: gateway.key });
  const message = () =>
    client.messages
      .stream(
        { model: "fake", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] },
        { headers: { "idempotency-key": "m1" } },
      )
      .finalMessage();
  const [one, two] = [await message(), await message()];
  expect(two.content).toEqual(one.content);
  expect([two.id, two.usage]).toEqual([one.id, one.usage]);
  expect([(await charges()).length, provider.visits.length]).toEqual([2, 2]);
});

test("stores no reply of a call without a charge: the official client's retry runs, and is charged once", async () => {
  let tries = 0;
  provider.answerWith(() => (++tries === 1 ? new Response(null, { status: 500 }) : completion("at last")));
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 2 });
  const ask = () =>
    client.chat.completions.create(
      { model: "fake", messages: [{ role: "user", content: "Hello" }] },
      { headers: { "idempotency-key": "sdk" } },
    );
  expect((await ask()).choices[0]?.message.content).toBe("at last");
  expect((await ask()).choices[0]?.message.content).toBe("at last");
  expect([tries, (await charges()).length]).toEqual([2, 1]);
});

test.each([false, true])(
  "a client that goes away and comes back gets the one answer (stream: %p)",
  async (stream) => {
    const [arrived, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.answerWith(async () => {
      arrived.resolve();
      if (stream) {
        return streamChunks([
          chunkEvent({ content: "a" }),
          hold.promise,
          chunkEvent({ content: "b" }),
          usageEvent(usage),
          DONE,
        ]);
      }
      await hold.promise;
      return completion("the one");
    });
    const leave = new AbortController();
    const first = send({ stream, signal: leave.signal }).then((reply) => reply.text());
    await arrived.promise;
    leave.abort();
    await first.catch(() => {});
    const second = call({ stream });
    hold.resolve();
    const { status, text, headers } = await second;
    expect([status, headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(text).toContain(stream ? '"b"' : "the one");
    expect(provider.visits).toHaveLength(1);
    expect(await charges()).toMatchObject([{ basis: "reported" }]);
    expect(await listOutcomes(gateway)).toEqual(["completed"]);
  },
);

test("a charge without a whole reply refuses the repeat, and names the request and its charge", async () => {
  provider.answerWith(() => completion("x".repeat(1024 * 1024)));
  const tooLong = await call({ key: "long" });
  const refused = await call({ key: "long" });
  expect([tooLong.status, refused.status, readCode(refused)]).toEqual([200, 409, "idempotency_charged"]);
  expect(refused.text).toContain(tooLong.headers.get("x-request-id") ?? "none");
  expect(refused.headers.get("x-should-retry")).toBe("false");
  provider.answerWith(() => streamChunks([chunkEvent({ content: "a" })]));
  expect((await call({ key: "cut", stream: true })).text).toContain("provider_error");
  expect(readCode(await call({ key: "cut", stream: true }))).toBe("idempotency_charged");
  expect(await charges()).toHaveLength(2);
});

test("a call that a crash cut off is charged once: its repeat names that charge", async () => {
  await call();
  const [{ request_id } = {}] = await charges();
  await gateway.restart(async () => {
    using database = openSqlite(gateway.databasePath);
    const id = "crashed0000000000000000000";
    database.run("INSERT INTO leases (owner, ends_at_ms) VALUES ('crashed', 0)");
    database.run(
      `INSERT INTO holds (id, owner, request_id, state, amount, project_id, key_id, model, prompt_tokens, max_completion_tokens,
         input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms)
       SELECT 'hold_${id}', 'crashed', 'req_${id}', 'dispatched', held, project_id, key_id, model, prompt_tokens, 10,
         input_per_1m, output_per_1m, rate, created_at_ms, created_at_ms FROM ledger_entries WHERE kind = 'charge'`,
    );
    database.run("UPDATE accounts SET held = (SELECT amount FROM holds) WHERE name = 'balance'");
    database.run("UPDATE idempotency_keys SET reply = NULL, request_id = ? WHERE request_id = ?", [
      `req_${id}`,
      String(request_id),
    ]);
  });
  const refused = await call();
  expect([refused.status, readCode(refused)]).toEqual([409, "idempotency_charged"]);
  expect(refused.text).toContain("req_crashed");
  expect((await charges()).map(({ basis }) => basis)).toEqual(["reported", "interrupted"]);
  expect(provider.visits).toHaveLength(1);
});
