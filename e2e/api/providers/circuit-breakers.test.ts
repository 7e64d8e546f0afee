import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Health } from "@/lib/contract/operations/usage/health";
import { readReceipt } from "../../support/clients/read-requests";
import { buildRequest, fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ProviderScript,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
  streamChunks,
} from "../../support/servers/scripted-provider";

const FAILURES = 3;
const circuit = { failures: FAILURES, pause_seconds: 20 };
const message = { role: "user", content: "Hello" };
const answers: ProviderScript = () =>
  Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });

const INVALID_REQUEST = 'data: {"error":{"type":"invalid_request_error","message":"grammar"}}\n\n';

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(async () => {
  provider = startScriptedProvider();
  const config = scriptedConfiguration(provider, { circuit });
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config });
});
afterEach(async () => {
  await gateway.close();
  provider.stop();
});

async function serveWith(config: string) {
  await gateway.close();
  gateway = await serveGateway({ isExpectedFault: isProviderFault, config, hasRunningClock: true });
}

function requestFor(fields: Readonly<Record<string, unknown>>, key: string) {
  return buildRequest(`${gateway.baseUrl}/chat/completions`, {
    key,
    body: { model: "fake", messages: [message], ...fields },
    headers: { "openai-project": gateway.projectId },
  });
}

const call = (fields: Readonly<Record<string, unknown>> = {}, key = gateway.key) =>
  fetch(requestFor(fields, key));

async function callTimes(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let calls = 0; calls < count; calls++) statuses.push((await call()).status);
  return statuses;
}

const health = () => gateway.admin<Health>("GET", "/organization/health");
const openCircuits = async () =>
  (await health()).providers.find(({ id }) => id === "fake")?.open_circuits ?? [];

describe("a provider that fails one call after another", () => {
  test("gets no more calls; they are refused at once, without a hold or charge", async () => {
    expect(await callTimes(FAILURES)).toEqual([502, 502, 502]);
    const before = await gateway.admin("GET", "/organization/balance");
    const refused = await call();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "20"]);
    expect((await refused.json()).error).toMatchObject({
      type: "service_error",
      code: "circuit_open",
      circuit: { failures: FAILURES, threshold: FAILURES, retry_in_ms: 20_000 },
    });
    const { length } = provider.visits;
    expect(await callTimes(30)).toEqual(Array(30).fill(503));
    expect(provider.visits).toHaveLength(length);
    expect(await gateway.admin("GET", "/organization/balance")).toEqual(before);
  });

  test("is named with its cause only to callers who may read providers", async () => {
    await callTimes(FAILURES);
    const told = async (key: string) => (await (await call({}, key)).json()).error;
    const outsider = await told(gateway.key);
    expect(outsider.circuit.provider).toBeUndefined();
    expect(outsider.message).not.toContain("fake");
    const insider = await told(gateway.adminKey);
    expect(insider.circuit).toMatchObject({ provider: "fake", provider_model: "upstream-name" });
    expect(insider.message).toContain('provider "fake" answered with status 500');
  });

  test("recovers: one trial goes through after the pause, and with its success all do", async () => {
    await callTimes(FAILURES);
    gateway.runtime.pass(20_000);
    let answer = () => {};
    provider.answerWith(async (visit) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return answers(visit);
    });
    const { length } = provider.visits;
    const trial = call();
    await until("the provider is called", () => provider.visits.length > length);
    const others = await Promise.all(Array.from({ length: 10 }, () => call()));
    expect(others.map(({ status }) => status)).toEqual(Array(10).fill(503));
    expect(others[0]?.headers.get("retry-after")).toBe("1");
    answer();
    expect((await trial).status).toBe(200);
    provider.answerWith(answers);
    expect(await callTimes(3)).toEqual([200, 200, 200]);
    expect(await openCircuits()).toEqual([]);
  });

  test("gets the next call as its trial where a trial was refused by another check", async () => {
    await callTimes(FAILURES);
    gateway.runtime.pass(20_000);
    provider.answerWith(answers);
    expect(
      (await call({ n: 128, messages: [{ role: "user", content: "x".repeat(9_000_000) }] })).status,
    ).not.toBe(200);
    expect((await call()).status).toBe(200);
  });

  test.each<[string, ProviderScript, Readonly<Record<string, unknown>>]>([
    ["errors in place of answers", () => Response.json({ error: { message: "out of memory" } }), {}],
    [
      "streams that end with an error",
      () => streamChunks(['data: {"error":{"code":500}}\n\n']),
      { stream: true },
    ],
  ])("is recognized by %s", async (_name, script, fields) => {
    provider.answerWith(script);
    for (let calls = 0; calls < FAILURES; calls++) await (await call(fields)).text();
    expect((await call(fields)).status).toBe(503);
  });

  test.each<[string, ProviderScript, Readonly<Record<string, unknown>>]>([
    ["pages", () => new Response("<html>"), {}],
    ["streams without an end", () => streamChunks(['data: {"choices":[]}\n\n']), { stream: true }],
    ["streams of no JSON", () => streamChunks(["data: {odd\n\n"]), { stream: true }],
    ["a refusal in a stream", () => streamChunks([INVALID_REQUEST]), { stream: true }],
  ])("is not what answers one caller oddly, with %s", async (_name, script, fields) => {
    provider.answerWith(script);
    for (let calls = 0; calls < 3 * FAILURES; calls++) await (await call(fields)).text();
    provider.answerWith(answers);
    expect((await call()).status).toBe(200);
  });

  test("is recognized by its silence, and later calls do not wait for the timeout", async () => {
    const timeouts = { first_event_seconds: 0.05, whole_answer_seconds: 0.05 };
    await serveWith(scriptedConfiguration(provider, { circuit, timeouts }));
    provider.answerWith(() => new Promise<never>(() => {}));
    expect(await callTimes(FAILURES + 20)).toEqual([504, 504, 504, ...Array(20).fill(503)]);
    expect(provider.visits).toHaveLength(FAILURES);
  });

  test("is not recognized by clients that don't read their streams until they time out", async () => {
    await serveWith(scriptedConfiguration(provider, { circuit, timeouts: { first_event_seconds: 0.05 } }));
    provider.answerWith(() => streamChunks(['data: {"choices":[]}\n\n', new Promise<void>(() => {})]));
    for (let calls = 0; calls < FAILURES; calls++) {
      const reply = await gateway.answer(requestFor({ stream: true }, gateway.key));
      // The call is cut while nothing is read.
      await provider.visits.at(-1)?.aborted;
      await reply.text();
    }
    provider.answerWith(answers);
    expect((await call()).status).toBe(200);
  });

  test.each([400, 401, 404, 429])("is not what answers with %i", async (status) => {
    provider.answerWith(() => new Response(null, { status }));
    expect(await callTimes(3 * FAILURES)).not.toContain(503);
  });

  test("is left out at once where the model has another route", async () => {
    const spare = startScriptedProvider();
    spare.answerWith(answers);
    const providers = [
      { id: "fake", kind: "openai", base_url: provider.baseUrl, circuit },
      { id: "spare", kind: "openai", base_url: spare.baseUrl },
    ];
    const routes = providers.map(({ id }) => ({ provider: id, model: "upstream-name" }));
    const price = { input_per_1m: "1", output_per_1m: "1" };
    const models = [{ id: "fake", family: "chat", rate: "1", price, routes }];
    await serveWith(JSON.stringify({ providers, models }));
    provider.answerWith(() => new Response(null, { status: 503 }));
    expect(await callTimes(10)).toEqual(Array(10).fill(200));
    expect([provider.visits.length, spare.visits.length]).toEqual([FAILURES, 10]);
    spare.stop();
  });
});

describe("an open circuit is seen", () => {
  beforeEach(async () => {
    await callTimes(FAILURES);
  });

  test("in the receipt of a refused call, with its figures, and with its provider for callers who may read providers", async () => {
    const requestId = (await call()).headers.get("x-request-id");
    // Refusals are written when there is time, and before the next charge.
    expect((await call({ model: "sandbox-echo" })).status).toBe(200);
    const receipt = await readReceipt(gateway, requestId);
    expect(receipt.request).toMatchObject({ outcome: "refused", refused_by: "circuit_open", status: 503 });
    expect(receipt.resets_in_ms).toBe(20_000);
    expect(receipt.checks.find(({ verdict }) => verdict === "refused")).toMatchObject({
      check: "circuit",
      value: String(FAILURES),
      limit: String(FAILURES),
    });
    expect(receipt.checks.find(({ check }) => check === "balance")?.verdict).toBe("not_reached");
  });

  test("in the health of its provider: cause, beginning, next try", async () => {
    const nowSeconds = Math.floor(gateway.runtime.clock.nowMs() / 1_000);
    expect(await openCircuits()).toEqual([
      {
        model: "upstream-name",
        failures: FAILURES,
        threshold: FAILURES,
        since: nowSeconds,
        next_try_at: nowSeconds + 20,
        is_trying: false,
        cause: 'The provider "fake" answered with status 500.',
      },
    ]);
  });

  test("by the preview of a call, which takes no trial", async () => {
    const preview = async () => {
      const body = { model: "fake", messages: [message] };
      const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions/preview`, {
        key: gateway.key,
        body,
      });
      return (await reply.json()).refusal;
    };
    expect(await preview()).toMatchObject({
      status: 503,
      code: "circuit_open",
      circuit: { failures: FAILURES },
    });
    gateway.runtime.pass(20_000);
    expect(await preview()).toBeNull();
    provider.answerWith(answers);
    expect((await call()).status).toBe(200);
  });
});

describe("closing a circuit by hand", () => {
  const close = (model = "upstream-name") =>
    gateway.admin("POST", "/organization/providers/fake/circuits/close", { model });

  test("admits calls at once, and is in the audit log", async () => {
    await callTimes(FAILURES);
    provider.answerWith(answers);
    await close();
    expect(await callTimes(2)).toEqual([200, 200]);
    const latest = "/organization/audit_logs?limit=1";
    const { data } = await gateway.admin<{ data: { type: string }[] }>("GET", latest);
    expect(data[0]?.type).toBe("provider.circuit.closed");
  });

  test("is refused for a model that no route leads to", async () => {
    await expect(close("another")).rejects.toThrow("another");
  });
});

test("a provider whose breakers are off gets every call", async () => {
  await serveWith(scriptedConfiguration(provider, { circuit: false }));
  expect(await callTimes(12)).toEqual(Array(12).fill(502));
  // Each is sent once more.
  expect(provider.visits).toHaveLength(24);
});
