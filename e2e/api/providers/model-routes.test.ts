import { afterEach, beforeEach, expect, test } from "bun:test";
import type {
  RouteActivity,
  RouteSimulation,
  RoutesOfModel,
} from "@/lib/contract/operations/models/model-routes";
import type { UnaccountedCosts } from "@/lib/contract/operations/money/unaccounted-costs";
import { listCharges } from "../../support/clients/list-charges";
import { fetchWithKey } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { type ScriptedProvider, startScriptedProvider } from "../../support/servers/scripted-provider";

const PATH = "/organization/models/fake/routes";
const answer = () => Response.json({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 3 } });

let first: ScriptedProvider;
let second: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(async () => {
  [first, second] = [startScriptedProvider(), startScriptedProvider()];
  first.answerWith(answer);
  second.answerWith(answer);
  const providers = [first, second].map(({ baseUrl: base_url }, at) => ({
    id: `p${at + 1}`,
    kind: "openai",
    base_url,
  }));
  const price = { input_per_1m: "1.00", output_per_1m: "2.00" };
  const routes = [{ provider: "p1", model: "one" }];
  const model = { id: "fake", family: "chat", rate: "1", price, max_output_tokens: 1000, routes };
  gateway = await serveGateway({
    isExpectedFault: isProviderFault,
    config: JSON.stringify({ providers, models: [model] }),
    hasRunningClock: true,
  });
});

afterEach(async () => {
  await gateway.close();
  await first.stop();
  await second.stop();
});

async function call(more: object = {}) {
  const messages = [{ role: "user", content: "Hi" }];
  const body = { model: "fake", messages, ...more };
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, { key: gateway.key, body });
  await reply.text();
  return { status: reply.status, route: reply.headers.get("x-gatehouse-route") };
}

const save = (routes: readonly object[] | null) => gateway.admin<RoutesOfModel>("POST", PATH, { routes });
const visits = () => [first.visits.length, second.visits.length];

test("the routes of a configured model are changed for the next call, and taken back", async () => {
  expect((await call()).route).toBe("p1/one");
  const saved = await save([
    { provider: "p2", model: "two", group: 1 },
    { provider: "p1", model: "one", group: 2, weight: 30 },
  ]);
  expect(saved.routes).toMatchObject([
    { provider: "p2", group: 1, weight: 100 },
    { provider: "p1", group: 2, weight: 30 },
  ]);
  expect((await call()).route).toBe("p2/two");
  expect((await save(null)).changed_at).toBeNull();
  expect((await call()).route).toBe("p1/one");
});

test.each([
  ["no route", [], "routes"],
  ["a provider that there isn't", [{ provider: "p3", model: "m" }], "routes.0.provider"],
  ["routes without weight", [{ provider: "p1", model: "m", weight: 0 }], "routes"],
  [
    "groups out of order",
    [
      { provider: "p1", model: "m", group: 2 },
      { provider: "p2", model: "m", group: 1 },
    ],
    "routes",
  ],
  [
    "an order by price without a price",
    [
      { provider: "p1", model: "m", group: 1, order: "price" },
      { provider: "p2", model: "m", group: 1, order: "price" },
    ],
    "routes",
  ],
  ["an unknown field", [{ provider: "p1", model: "m", share: 3 }], "routes.0"],
])("%s is refused, and changes nothing", async (_name, routes, param) => {
  await expect(save(routes)).rejects.toThrow(param.split(".")[0] ?? "");
  expect((await call()).route).toBe("p1/one");
});

test("the routes of a group take turns by latency where all of them say so", async () => {
  const routes = [
    { provider: "p1", model: "one", group: 1, order: "latency" },
    { provider: "p2", model: "two", group: 1 },
  ];
  await expect(save(routes)).rejects.toThrow("the same order");
  const saved = await save(routes.map((route) => ({ ...route, order: "latency" })));
  expect(saved.routes.map(({ order }) => order)).toEqual(["latency", "latency"]);
  expect((await call()).status).toBe(200);
  expect((await save([{ provider: "p1", model: "one" }])).routes).toMatchObject([{ order: "weight" }]);
});

test("the cheapest provider of a group is asked first, and the call is charged at the model's price", async () => {
  const group = { group: 1, order: "price" };
  const cheap = { input_per_1m: "0.10", output_per_1m: "0.40", cached_input_per_1m: "0.01" };
  const saved = await save([
    { provider: "p1", model: "one", weight: 1_000, ...group },
    { provider: "p2", model: "two", weight: 1, ...group, price: cheap },
  ]);
  expect(saved.routes).toMatchObject([{ price: null }, { order: "price", price: cheap }]);
  for (let calls = 0; calls < 5; calls++)
    expect((await call({ prompt_cache_key: `session ${calls}` })).route).toBe("p2/two");
  expect((await listCharges(gateway))[0]).toMatchObject({ amount: "0.000017" });
  second.answerWith(() => new Response(null, { status: 500 }));
  expect((await call({ max_tokens: 4 })).route).toBe("p1/one");
  const month = new Date(gateway.runtime.clock.nowMs()).toISOString().slice(0, 7);
  const path = `/organization/unaccounted_costs?month=${month}`;
  const { data } = await gateway.admin<UnaccountedCosts>("GET", path);
  const [{ prompt_tokens, amount } = { prompt_tokens: 0, amount: "" }] = data;
  expect(Number(amount)).toBeCloseTo((prompt_tokens * 0.1 + 4 * 0.4) / 1_000_000, 9);
});

test("a model that is priced by the unit has no prices of routes", async () => {
  const routes = [{ provider: "p1", model: "m", price: { input_per_1m: "1" } }];
  const unit_price = { unit: "character", amount: "1" };
  const model = { id: "by-unit", family: "speech", rate: "1", unit_price, routes };
  await expect(gateway.admin("POST", "/organization/models", model)).rejects.toThrow("by the unit");
});

test("a call that failed on two of three routes is charged once, and its way is told", async () => {
  first.answerWith(() => new Response(null, { status: 500 }));
  second.answerWith(({ body }) =>
    JSON.parse(body).model === "two"
      ? new Response(null, { status: 429, headers: { "retry-after": "30" } })
      : answer(),
  );
  await save([
    { provider: "p1", model: "one" },
    { provider: "p2", model: "two" },
    { provider: "p2", model: "three" },
  ]);
  expect(await call()).toEqual({ status: 200, route: "p2/three" });
  expect(await listCharges(gateway)).toMatchObject([{ amount: "0.000017" }]);
  const activity = await gateway.admin<RouteActivity>("GET", `${PATH}/activity`);
  expect(activity).toMatchObject({
    calls: 1,
    answered: 1,
    by_fallback: 1,
    routes: [
      { model: "one", attempts: 1, errors: 1, state: "failing" },
      { model: "two", attempts: 1, errors: 1, state: "resting" },
      { model: "three", attempts: 1, errors: 0, state: "healthy" },
    ],
    causes: [
      { cause: "rate_limited", attempts: 1 },
      { cause: "server_error", attempts: 1 },
    ],
    recent: [
      {
        answered: true,
        attempts: [
          { provider: "p1", cause: "server_error", status: 500 },
          { provider: "p2", cause: "rate_limited", status: 429 },
          { provider: "p2", cause: null, status: 200 },
        ],
      },
    ],
  });
});

test("a plain answer that breaks off within its bytes is asked of the next route, and a stream isn't", async () => {
  const broken = serveBrokenOff();
  const base_url = `http://127.0.0.1:${broken.port}/v1`;
  await gateway.admin("POST", "/organization/providers", { id: "p3", kind: "openai", base_url });
  await save([
    { provider: "p3", model: "three", group: 1 },
    { provider: "p2", model: "two", group: 2 },
  ]);
  expect(await call()).toEqual({ status: 200, route: "p2/two" });
  expect(await listCharges(gateway)).toHaveLength(1);
  expect(await call({ stream: true })).toEqual({ status: 200, route: "p3/three" });
  expect(visits()).toEqual([0, 1]);
  broken.stop(true);
});

/** A server whose answers, streamed or not, end before their announced length. */
function serveBrokenOff() {
  const event = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';
  return Bun.listen({
    port: 0,
    hostname: "127.0.0.1",
    socket: {
      data(socket, bytes) {
        const isStream = bytes.includes('"stream":true');
        const type = isStream ? "text/event-stream" : "application/json";
        const start = isStream ? event : '{"choices":[{"message":';
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: 9999\r\n\r\n${start}`);
      },
    },
  });
}

test("what a provider may bill for failed attempts is summed at list prices, and refusals are not", async () => {
  first.answerWith(
    ({ body }) => new Response(null, { status: JSON.parse(body).model === "one" ? 500 : 503 }),
  );
  await save([
    { provider: "p1", model: "one" },
    { provider: "p1", model: "away" },
    { provider: "p2", model: "two" },
  ]);
  for (let calls = 0; calls < 2; calls++) await call({ max_tokens: 4 });
  const month = new Date(gateway.runtime.clock.nowMs()).toISOString().slice(0, 7);
  const costs = () =>
    gateway.admin<UnaccountedCosts>("GET", `/organization/unaccounted_costs?month=${month}`);
  const before = await costs();
  expect(before.data).toMatchObject([{ provider: "p1", provider_model: "one", model: "fake", attempts: 2 }]);
  const [{ prompt_tokens, amount } = { prompt_tokens: 0, amount: "" }] = before.data;
  // Each prompt at 1, and four tokens of output at 2, per million.
  expect(Number(amount)).toBeCloseTo((prompt_tokens + 2 * 4 * 2) / 1_000_000, 9);
  await call({ max_tokens: 4 });
  expect((await costs()).data).toMatchObject([{ attempts: 3 }]);
});

test("a draft is simulated on the calls of last week, and changes nothing", async () => {
  first.answerWith(() => new Response(null, { status: 429 }));
  await save([
    { provider: "p1", model: "one" },
    { provider: "p2", model: "two" },
  ]);
  await call();
  const simulate = (routes: readonly object[]) =>
    gateway.admin<RouteSimulation>("POST", `${PATH}/simulate`, { routes });
  expect(await simulate([{ provider: "p2", model: "two" }])).toMatchObject({
    calls: 1,
    as_it_was: { answered: 1, by_fallback: 1 },
    with_draft: { answered: 1, by_fallback: 0 },
    unmeasured: 0,
  });
  expect((await simulate([{ provider: "p1", model: "one" }])).with_draft.answered).toBe(0);
  expect((await gateway.admin<RoutesOfModel>("GET", PATH)).routes).toHaveLength(2);
  await expect(simulate([{ provider: "p3", model: "m" }])).rejects.toThrow("p3");
});

test("calls of a session stay where its first was answered, and go on once that route is off", async () => {
  const pair = ["p1", "p2"].map((provider) => ({ provider, model: "m", group: 1 }));
  await save(pair);
  const session = { prompt_cache_key: "conversation 7" };
  const { route } = await call(session);
  for (let calls = 0; calls < 5; calls++) expect((await call(session)).route).toBe(route);
  await save(pair.map((one) => ({ ...one, weight: route?.startsWith(one.provider) ? 0 : 1 })));
  expect((await call(session)).route).not.toBe(route);
  expect(visits().toSorted()).toEqual([1, 6]);
});
