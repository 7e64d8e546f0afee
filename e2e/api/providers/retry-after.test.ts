import { expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { type ScriptedProvider, scriptedConfiguration } from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;
serveScriptedForAll(
  (scripted) => scriptedConfiguration(scripted, { circuit: { failures: 2, pause_seconds: 15 } }),
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

async function callAt(status: number, headers: Readonly<Record<string, string>>, body: object = {}) {
  provider.answerWith(() => Response.json(body, { status, headers }));
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { model: "fake", messages: [{ role: "user", content: "Hello" }] },
  });
  const { error } = (await reply.json()) as { error: { code: string; message: string } };
  const after = reply.headers.get("retry-after");
  return { status: reply.status, after, ms: reply.headers.get("retry-after-ms"), ...error };
}

const date = "Sun, 01 Mar 2026 12:00:00 GMT";

test.each<[string, Readonly<Record<string, string>>, string, string | null]>([
  ["a date", { "retry-after": "Sun, 01 Mar 2026 12:02:30 GMT", date }, "150", null],
  ["parts of seconds", { "retry-after": "2.2" }, "3", null],
  ["milliseconds", { "retry-after-ms": "1750", "retry-after": "2" }, "2", "1750"],
  ["the reset of a limit", { "x-ratelimit-reset-tokens": "1m30s" }, "90", null],
  ["the date of a limit", { "anthropic-ratelimit-tokens-reset": "2026-03-01T12:00:40Z", date }, "40", null],
  ["words that say nothing", { "retry-after": "soon" }, "1", null],
])("a provider at its limit says when to try again by %s", async (_name, headers, after, ms) => {
  const reply = await callAt(429, headers);
  expect(reply).toMatchObject({ status: 429, after, ms });
  expect(reply.message).toContain(`Try again in ${after} s.`);
});

test("a provider at its limit says when to try again within its error", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }];
  expect(await callAt(429, {}, { error: { code: 429, details } })).toMatchObject({ after: "35" });
});

test("an overloaded provider's wait is passed on, and is the rest of its circuit", async () => {
  const overloaded = { status: 502, code: "provider_error", after: "40" };
  expect(await callAt(503, { "retry-after": "40" })).toMatchObject(overloaded);
  expect(await callAt(529, { "retry-after": "40" })).toMatchObject(overloaded);
  const visits = provider.visits.length;
  expect(await callAt(200, {})).toMatchObject({ status: 503, code: "circuit_open", after: "40" });
  gateway.pass(39_000);
  expect(await callAt(200, {})).toMatchObject({ status: 503, code: "circuit_open", after: "1" });
  expect(provider.visits).toHaveLength(visits);
  gateway.pass(1_000);
  expect(await callAt(503, {})).toMatchObject({ status: 502, after: null });
  expect(await callAt(200, {})).toMatchObject({ status: 503, after: "30" });
});
