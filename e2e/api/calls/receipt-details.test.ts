import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey, send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";
import { queryDatabase } from "../../support/stored-data/query-database";

let first: ScriptedProvider;
let second: ScriptedProvider;
let gateway: ServedGateway;

beforeAll(async () => {
  first = startScriptedProvider();
  second = startScriptedProvider();
  const providers = [first, second].map(({ baseUrl }, index) => ({
    id: `p${index + 1}`,
    kind: "openai",
    base_url: baseUrl,
    api_key: "provider-secret",
  }));
  const routes = providers.map(({ id }) => ({ provider: id, model: `model-at-${id}` }));
  const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
  const model = { id: "fake", family: "chat", rate: "1", price, max_output_tokens: 1000, routes };
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: JSON.stringify({ providers, models: [model] }),
  });
});
afterAll(async () => {
  await gateway.close();
  await first.stop();
  await second.stop();
});

const usage = { prompt_tokens: 11, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 7 } };
const answered = (id: string) => () =>
  Response.json({ choices: [], usage }, { headers: { "x-request-id": id } });

beforeEach(() => {
  first.answerWith(() => new Response("{}", { status: 503, headers: { "x-request-id": "p1-77" } }));
  second.answerWith(answered("p2-42"));
});

async function call(rest: object = {}, headers: Record<string, string> = {}) {
  const body = { model: "fake", messages: [{ role: "user", content: "Hi" }], ...rest };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body,
    headers,
  });
  await reply.text();
  return reply.headers.get("x-request-id") ?? "";
}
const ask = <Reply>(path: string) =>
  send(`${gateway.baseUrl}/organization${path}`, { key: gateway.adminKey }).then(
    ({ body }) => body as unknown as Reply,
  );
const receipt = (id: string) => readReceipt(gateway, id);

test("a receipt lists the attempts in order, each with its times, its provider's id and the reason for the next", async () => {
  const { attempts, request } = await receipt(await call());
  expect(attempts).toMatchObject([
    {
      provider: "p1",
      model: "model-at-p1",
      status: 503,
      failure: "provider_error",
      provider_request_id: "p1-77",
    },
    { provider: "p2", model: "model-at-p2", status: 200, failure: null, provider_request_id: "p2-42" },
  ]);
  const times = attempts.flatMap(({ started_ms, sent_ms, answered_ms, ended_ms }) => [
    started_ms,
    sent_ms,
    answered_ms,
    // The last one ended with its call.
    ended_ms ?? answered_ms,
  ]);
  expect(times).not.toContain(null);
  expect(times.map(Number)).toEqual(times.map(Number).toSorted((one, other) => one - other));
  expect(request).toMatchObject({ provider: "p2", cached_tokens: 7, prompt_tokens: 11 });
});

test("the times of a receipt are on the gateway's clock", async () => {
  const startedAtMs = gateway.runtime.clock.nowMs();
  first.answerWith(() => {
    gateway.pass(2_000);
    return new Response("{}", { status: 503 });
  });
  second.answerWith(() => {
    gateway.pass(3_000);
    return answered("p2-42")();
  });
  const { attempts, request } = await receipt(await call());
  expect(attempts.map(({ started_ms, answered_ms }) => [started_ms, answered_ms])).toEqual([
    [0, 2_000],
    [2_000, 5_000],
  ]);
  expect(request).toMatchObject({ created_at: startedAtMs / 1_000, duration_ms: 5_000 });
});

test("a call that every provider failed keeps its attempts too", async () => {
  second.answerWith(() => new Response("{}", { status: 500 }));
  const { attempts, request } = await receipt(await call());
  expect(attempts.map(({ provider, status, failure }) => [provider, status, failure])).toEqual([
    ["p1", 503, "provider_error"],
    ["p2", 500, "provider_error"],
    ["p2", 500, "provider_error"],
  ]);
  expect(request).toMatchObject({ provider: "p2", outcome: "provider_failed" });
});

test("a receipt shows the sender and the settings of a call, and never a key", async () => {
  const id = await call(
    { max_tokens: 50, temperature: 0.5 },
    {
      "user-agent": `OpenAI/JS 6.1.0 ${gateway.key}`,
      "x-client-request-id": "job-9",
      "x-stainless-retry-count": "2",
      "idempotency-key": "pay-once",
    },
  );
  const { client, settings } = await receipt(id);
  expect(client).toEqual({
    endpoint: "chat/completions",
    user_agent: "OpenAI/JS 6.1.0 gk_live_***",
    client_request_id: "job-9",
    retry_count: 2,
    content_length: expect.any(Number),
    idempotency_key_hash: new Bun.CryptoHasher("sha256").update("pay-once").digest("hex").slice(0, 16),
    run_by: null,
  });
  expect(settings).toEqual({
    max_tokens: 50,
    temperature: 0.5,
    left_out: null,
    lowered_to: null,
    lowered_by: null,
    prompt: null,
  });
  const traces = await queryDatabase(gateway, "SELECT trace FROM ledger_entries WHERE kind = 'charge'");
  expect(JSON.stringify(traces)).not.toContain(gateway.key);
  expect(JSON.stringify(traces)).not.toContain("pay-once");
});

test("each check records its figures, for admitted and refused calls", async () => {
  await gateway.setLimits("fake", { max_requests_per_1_minute: 100, max_tokens_per_1_minute: 100_000 });
  const passed = await receipt(await call({ max_tokens: 10 }));
  const findCheck = ({ checks }: RequestReceipt, name: string) => checks.find(({ check }) => check === name);
  const before = Number(findCheck(passed, "max_requests_per_1_minute")?.value);
  expect(findCheck(passed, "max_requests_per_1_minute")).toMatchObject({
    limit: "100",
    needed: "1",
    verdict: "passed",
  });
  expect(findCheck(passed, "balance")).toMatchObject({ needed: passed.hold?.amount, verdict: "passed" });
  expect(findCheck(passed, "concurrency")).toMatchObject({ value: "0", verdict: "passed" });
  expect(findCheck(passed, "max_requests_per_1_day")).toMatchObject({ value: null, verdict: "not_limited" });
  expect(findCheck(passed, "batch_1_day_max_input_tokens")).toMatchObject({
    value: null,
    verdict: "not_limited",
  });
  await gateway.setLimits("fake", { max_requests_per_1_minute: 1, max_tokens_per_1_minute: 5 });
  const refused = await call({ max_tokens: 10 });
  await gateway.setLimits("fake", { max_requests_per_1_minute: 100, max_tokens_per_1_minute: 100_000 });
  await call({ max_tokens: 10 });
  const told = await receipt(refused);
  expect(findCheck(told, "max_tokens_per_1_minute")).toMatchObject({ limit: "5", verdict: "refused" });
  expect(findCheck(told, "max_requests_per_1_minute")).toMatchObject({
    value: String(before + 1),
    limit: "1",
    needed: "1",
    verdict: "would_refuse",
  });
  expect(findCheck(told, "concurrency")).toMatchObject({ verdict: "passed", value: "0" });
});

test("usage is grouped by provider, with cached prompt tokens, and doctor finds the same sums", async () => {
  first.answerWith(answered("p1-1"));
  await call();
  const { groups, totals } = await ask<UsageSummary>("/usage_summary?group_by=provider&order_by=requests");
  const by = new Map(groups.map((group) => [group.id, group.totals]));
  expect(by.get("p1")).toMatchObject({ requests: 1, cached_tokens: 7, prompt_tokens: 11 });
  const ofSecond = by.get("p2");
  expect(totals.cached_tokens).toBe(7 + (ofSecond?.cached_tokens ?? 0));
  expect(by.get(null)).toMatchObject({ requests: 0, refusals: 1 });
  const only = await ask<UsageSummary>("/usage_summary?provider=p1");
  expect(only.totals).toMatchObject({ requests: 1, cached_tokens: 7, refusals: 0 });
  const listed = await ask<{ data: { provider: string }[] }>("/requests?provider=p1");
  expect(listed.data.map(({ provider }) => provider)).toEqual(["p1"]);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});
