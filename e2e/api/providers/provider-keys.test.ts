import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Provider } from "@/lib/contract/operations/models/providers";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";

const KEYS = ["sk-first-0000aaaa", "sk-second-0000bbbb", "sk-third-0000cccc"];
const PATH = "/organization/providers/several";

let provider: ScriptedProvider;
let gateway: ServedGateway;
/** What the provider answers to each key; 200 where there is none. */
let refusals: Record<string, () => Response>;

beforeEach(async () => {
  refusals = {};
  provider = startScriptedProvider();
  provider.answerWith(({ headers }) => {
    const refuse = refusals[headers.get("authorization")?.slice("Bearer ".length) ?? ""];
    return refuse?.() ?? Response.json({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
  });
  gateway = await serveGateway({ isExpectedFault: isProviderFault });
  const draft = { id: "several", kind: "openai", base_url: provider.baseUrl, api_keys: KEYS };
  await gateway.admin("POST", "/organization/providers", draft);
  await gateway.admin("POST", "/organization/models", {
    id: "m",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    max_output_tokens: 100,
    routes: [{ provider: "several", model: "n" }],
  });
});

afterEach(async () => {
  await gateway.close();
  await provider.stop();
});

/** The keys that the provider was shown by one call, by their numbers, and the call's status. */
async function call(more: object = {}) {
  const before = provider.visits.length;
  const body = { model: "m", messages: [{ role: "user", content: "Hi" }], ...more };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  await reply.text();
  const shown = provider.visits
    .slice(before)
    .map(({ headers }) => headers.get("authorization")?.slice(7) ?? "");
  return {
    status: reply.status,
    requestId: reply.headers.get("x-request-id"),
    keys: shown.map((key) => KEYS.indexOf(key)),
  };
}

const read = () => gateway.admin<Provider>("GET", PATH);
const limited = () => new Response(null, { status: 429, headers: { "retry-after": "30" } });

test("calls are shared among keys, those of a session have one, and no key is ever shown", async () => {
  const shared = new Set<number>();
  for (let calls = 0; calls < 40; calls++) {
    const messages = [{ role: "user", content: `Question ${calls}` }];
    for (const key of (await call({ messages })).keys) shared.add(key);
  }
  expect([...shared].toSorted()).toEqual([0, 1, 2]);
  const session = new Set<number>();
  for (let calls = 0; calls < 6; calls++)
    for (const key of (await call({ prompt_cache_key: "s" })).keys) session.add(key);
  expect(session.size).toBe(1);
  const shown = await read();
  expect(shown.api_keys.map(({ hint }) => hint)).toEqual(["…aaaa", "…bbbb", "…cccc"]);
  expect(JSON.stringify(shown)).not.toContain("sk-");
});

test.each([429, 401, 403])(
  "a key that is answered %i rests, and the call goes on with the next one",
  async (status) => {
    const [first = ""] = KEYS;
    refusals[first] = status === 429 ? limited : () => new Response(null, { status });
    let met = await call({ prompt_cache_key: "0" });
    for (let session = 1; !met.keys.includes(0); session++)
      met = await call({ prompt_cache_key: String(session) });
    expect(met).toMatchObject({ status: 200, keys: [0, expect.any(Number)] });
    for (let calls = 0; calls < 12; calls++)
      expect((await call({ prompt_cache_key: String(calls) })).keys).not.toContain(0);
    const { id = "" } = (await read()).api_keys[0] ?? {};
    expect((await read()).resting_api_keys).toMatchObject([{ id, model: "n", status }]);
    gateway.runtime.pass(60_000);
    expect((await read()).resting_api_keys).toEqual([]);
  },
);

test("where every key rests the one that is free first is asked once more", async () => {
  for (const key of KEYS) refusals[key] = limited;
  expect(await call()).toMatchObject({ status: 429, keys: { length: 3 } });
  expect((await call()).keys).toHaveLength(1);
});

test("keys are added and removed by naming those that stay, and only whoever read the last ones may", async () => {
  const before = await read();
  const stale = { "if-match": `"${before.version}"` };
  const [first, second] = before.api_keys;
  const kept = { api_keys: [{ id: second?.id }, { key: "sk-fourth-0000dddd" }] };
  const changed = await gateway.admin<Provider>("POST", PATH, kept);
  expect(changed.api_keys.map(({ hint }) => hint)).toEqual(["…bbbb", "…dddd"]);
  const ask = (body: object, headers = {}) =>
    fetchWithKey(`${gateway.baseUrl}${PATH}`, { key: gateway.adminKey, body, headers });
  expect((await ask({ api_keys: [] }, stale)).status).toBe(412);
  const unknown = await (await ask({ api_keys: [{ id: first?.id }] })).json();
  expect(unknown.error).toMatchObject({ param: "api_keys[0].id" });
  const twice = await (await ask({ api_keys: [{ id: second?.id }, { key: KEYS[1] }] })).json();
  expect(twice.error).toMatchObject({ param: "api_keys[1]" });
  for (let calls = 0; calls < 20; calls++) await call({ prompt_cache_key: String(calls) });
  const shown = new Set(provider.visits.map(({ headers }) => headers.get("authorization")));
  expect(shown).toEqual(new Set([`Bearer ${KEYS[1]}`, "Bearer sk-fourth-0000dddd"]));
});
