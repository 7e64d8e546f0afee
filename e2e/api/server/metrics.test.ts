import { afterEach, expect, test } from "bun:test";
import dashboard from "@/lib/gateway/log/telemetry/grafana-dashboard.json";
import { parseExposition, type Scrape } from "../../support/clients/parse-exposition";
import { fetchWithKey, send } from "../../support/clients/send";
import { createTaskClient } from "../../support/clients/task-client";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createMember } from "../../support/stored-data/create-member";
import { createRoleKey } from "../../support/stored-data/create-role-key";

const TOKEN = "a-token-of-some-length";
const telemetry = { metricsToken: TOKEN, tracesUrl: null };
let gateway: ServedGateway;

afterEach(() => gateway.close());

const scrapeUrl = () => gateway.baseUrl.replace(/v1$/, "metrics");

async function scrape(): Promise<Scrape> {
  const reply = await fetchWithKey(scrapeUrl(), { key: TOKEN });
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await reply.text());
}

function sumValues(
  { samples }: Scrape,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

async function call(model: string, rest: object = {}) {
  const body = { model, messages: [{ role: "user", content: "one two three" }], ...rest };
  const address = `${gateway.baseUrl}/chat/completions`;
  const reply = await fetchWithKey(address, { key: gateway.key, body });
  await reply.text();
  return reply.status;
}

test("the path exists only if a token is set, whatever the key may read", async () => {
  gateway = await serveGateway();
  expect((await send(scrapeUrl(), { key: gateway.adminKey })).error).toMatchObject({
    code: "path_not_found",
  });
});

test("the path is open to the token, and to keys and sessions with the permission in the organization", async () => {
  gateway = await serveGateway({ telemetry });
  const scraper = await gateway.admin<{ id: string }>("POST", "/organization/roles", {
    role_name: "Prometheus",
    permissions: ["api.metrics.read"],
  });
  const { dataFolder, runtime } = gateway;
  const keys = new Map<string, string>();
  let projectOwner = "";
  await gateway.restart(async () => {
    const roles = ["role_admin", "role_reader", "role_finance", "role_prompt_tester", scraper.id];
    for (const role of roles) keys.set(role, await createRoleKey(dataFolder, role));
    const reads = { roleId: "role_reader", projectId: null };
    keys.set("session", (await createMember(dataFolder, "reads", [reads], runtime)).token);
    const ofProject = { roleId: "role_project_owner", projectId: gateway.projectId };
    projectOwner = (await createMember(dataFolder, "owns", [ofProject], runtime)).token;
  });
  const scrapedWith = async (key: string) => (await fetchWithKey(scrapeUrl(), { key })).text();
  for (const who of ["role_admin", "role_reader", scraper.id, "session"])
    expect([who, await scrapedWith(keys.get(who) ?? "")]).toEqual([
      who,
      expect.stringContaining("gatehouse_ledger_up 1"),
    ]);
  expect(await scrapedWith(gateway.adminKey)).toContain("gatehouse_ledger_up 1");
  expect(await scrapedWith(TOKEN)).toContain("gatehouse_ledger_up 1");
  for (const key of [keys.get("role_finance"), keys.get("role_prompt_tester"), gateway.key, projectOwner])
    expect(await send(scrapeUrl(), { key })).toMatchObject({
      status: 403,
      error: { code: "missing_permission", permission: "api.metrics.read" },
    });
  const mistyped = keys.get("role_reader")?.replace(/.$/, (last) => (last === "x" ? "y" : "x"));
  for (const key of [undefined, mistyped, `${TOKEN}x`, TOKEN.slice(0, -1)])
    expect(await send(scrapeUrl(), { key })).toMatchObject({
      status: 401,
      error: { code: "invalid_api_key" },
    });
});

test("a scrape counts as a use of its key, and a refused one as refused access", async () => {
  gateway = await serveGateway({ telemetry });
  const scraper = await gateway.admin<{ id: string; value: string }>("POST", "/organization/admin_api_keys", {
    name: "Prometheus",
    role: "role_reader",
  });
  await fetchWithKey(scrapeUrl(), { key: scraper.value });
  const path = `/organization/admin_api_keys/${scraper.id}`;
  expect(await gateway.admin("GET", path)).toMatchObject({ last_used_at: expect.any(Number) });
  expect((await send(scrapeUrl(), { key: gateway.key })).status).toBe(403);
  expect((await send(scrapeUrl(), { key: `${TOKEN}x` })).status).toBe(401);
  const { data } = await gateway.admin<{ data: object[] }>("GET", "/organization/access_refusals");
  expect(data).toHaveLength(2);
  for (const [type, status] of [
    [null, 401],
    ["project_key", 403],
  ] as const)
    expect(data).toContainEqual(
      expect.objectContaining({
        operation: "retrieveMetrics",
        status,
        caller: type && expect.objectContaining({ type }),
      }),
    );
});

test("a scrape reports calls, tokens, charges, refusals, writes and the balance", async () => {
  gateway = await serveGateway({ telemetry, isExpectedFault: isProviderFault });
  expect(await call("sandbox-echo")).toBe(200);
  expect(await call("sandbox-echo", { stream: true })).toBe(200);
  expect(await call("sandbox-500")).toBe(502);
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  expect(await call("sandbox-chat")).toBe(429);
  expect(await call("no-such-model")).toBe(404);
  const scraped = await scrape();
  const echo = { gen_ai_request_model: "sandbox-echo", gen_ai_provider_name: "sandbox" };
  const completed = { gen_ai_request_model: "sandbox-echo", outcome: "completed" };
  expect(sumValues(scraped, "gatehouse_calls_total", completed)).toBe(2);
  expect(
    sumValues(scraped, "gen_ai_server_request_duration_seconds_count", { ...echo, error_type: "" }),
  ).toBe(2);
  expect(sumValues(scraped, "gen_ai_server_time_to_first_token_seconds_count", echo)).toBe(2);
  expect(sumValues(scraped, "gen_ai_client_operation_duration_seconds_count", echo)).toBe(2);
  const output = { ...echo, gen_ai_token_type: "output" };
  expect(sumValues(scraped, "gen_ai_client_token_usage_sum", output)).toBe(6);
  const failed = { gen_ai_request_model: "sandbox-500", error_type: "provider_failed" };
  expect(sumValues(scraped, "gen_ai_server_request_duration_seconds_count", failed)).toBe(1);
  const refused = { check: "max_requests_per_1_minute", status: "429" };
  expect(sumValues(scraped, "gatehouse_refusals_total", refused)).toBe(1);
  expect(sumValues(scraped, "gatehouse_refusals_total", { check: "model_not_found", status: "404" })).toBe(1);
  expect(sumValues(scraped, "gatehouse_ledger_write_duration_seconds_count", { operation: "hold" })).toBe(3);
  expect(sumValues(scraped, "gatehouse_open_holds")).toBe(0);
  expect(sumValues(scraped, "gatehouse_ledger_up")).toBe(1);
  const posted = sumValues(scraped, "gatehouse_balance", { state: "posted", currency: "USD" }) ?? 0;
  expect(posted + (sumValues(scraped, "gatehouse_charges_total") ?? 0)).toBeCloseTo(10, 9);
  expect(sumValues(scraped, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
});

test("an open circuit is reported until it is closed", async () => {
  const routes = [{ provider: "gone", model: "lost" }];
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const config = {
    providers: [{ id: "gone", kind: "openai", base_url: "http://127.0.0.1:9/v1", circuit: { failures: 1 } }],
    models: [{ id: "lost", family: "chat", rate: "1", price, routes }],
  };
  gateway = await serveGateway({
    telemetry,
    config: JSON.stringify(config),
    isExpectedFault: isProviderFault,
  });
  const labels = { gen_ai_provider_name: "gone", gen_ai_request_model: "lost" };
  const open = async () => sumValues(await scrape(), "gatehouse_open_circuits", labels);
  expect(await open()).toBeUndefined();
  await call("lost");
  expect(await open()).toBe(1);
  await gateway.admin("POST", "/organization/providers/gone/circuits/close", { model: "lost" });
  expect(await open()).toBeUndefined();
});

test("made-up model names create no series", async () => {
  gateway = await serveGateway({ telemetry });
  const before = (await scrape()).samples.length;
  for (let calls = 0; calls < 20; calls++) await call(`made-up-${calls}`);
  const { samples } = await scrape();
  expect(samples.filter(({ labels }) => Object.values(labels).join().includes("made-up"))).toEqual([]);
  expect(samples.length - before).toBeLessThan(20);
});

test("a histogram's buckets grow to its count", async () => {
  gateway = await serveGateway({ telemetry });
  await call("sandbox-echo");
  const { samples } = await scrape();
  const buckets = samples.filter(({ name }) => name === "gen_ai_server_request_duration_seconds_bucket");
  const counts = buckets.map(({ value }) => value);
  expect(counts.toSorted((one, other) => one - other)).toEqual(counts);
  expect(buckets.at(-1)?.labels.le).toBe("+Inf");
});

test("each query of the dashboard names metrics and labels that a scrape has", async () => {
  gateway = await serveGateway({ telemetry });
  await call("sandbox-echo", { stream: true });
  await call("no-such-model");
  const { types, samples } = await scrape();
  const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
  const expressions = dashboard.panels.flatMap((panel) => panel.targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  for (const expr of expressions) {
    const names = [...expr.matchAll(/\b(gen_ai|gatehouse|nodejs|process)_\w+(?=[[{ )]|$)/g)].map(
      ([name]) => name,
    );
    const asLabels = new Set(
      [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list?.split(/, ?/) ?? []),
    );
    const metrics = names.filter((name) => !asLabels.has(name));
    expect([expr, metrics.length > 0]).toEqual([expr, true]);
    for (const name of metrics) {
      const isHistogram = types.get(name.replace(/_(bucket|sum|count)$/, "")) === "histogram";
      expect([expr, name, types.has(name) || isHistogram]).toEqual([expr, name, true]);
    }
    for (const label of asLabels) expect([expr, label, labels.has(label)]).toEqual([expr, label, true]);
  }
});

test("a task counts under what it makes, whatever endpoint it was ordered at, and has no tokens", async () => {
  gateway = await serveGateway({ telemetry });
  const tasks = createTaskClient(gateway);
  const soon = { prompt: "x", size: "16x16", sandbox: { takes_ms: 0 } };
  await tasks.follow((await tasks.create({ model: "sandbox-image", ...soon })).id);
  await tasks.whileTimePasses(tasks.ask("/images/generations", { model: "sandbox-image", ...soon }));
  const scraped = await scrape();
  const durations = "gen_ai_server_request_duration_seconds_count";
  const calls = (operation: string) => sumValues(scraped, durations, { gen_ai_operation_name: operation });
  expect([calls("images"), calls("chat")]).toEqual([2, undefined]);
  expect(sumValues(scraped, "gen_ai_client_token_usage_count")).toBeUndefined();
});

test("tasks that end after a restart are counted by the process that ends them", async () => {
  gateway = await serveGateway({ telemetry });
  const tasks = createTaskClient(gateway);
  const slow = { model: "sandbox-image", prompt: "x", size: "16x16" };
  const made = await tasks.create({ ...slow, sandbox: { takes_ms: 10_000 } });
  const failing = await tasks.create({ ...slow, sandbox: { takes_ms: 10_000, outcome: "failed" } });
  expect(sumValues(await scrape(), "gatehouse_open_holds")).toBe(2);
  await gateway.restart();
  expect(sumValues(await scrape(), "gatehouse_open_holds")).toBe(2);
  for (const { id } of [made, failing]) await tasks.follow(id);
  const scraped = await scrape();
  expect(sumValues(scraped, "gatehouse_open_holds")).toBe(0);
  const durations = "gen_ai_server_request_duration_seconds_count";
  expect(sumValues(scraped, durations, { gen_ai_operation_name: "images" })).toBe(2);
  const charges = scraped.samples.filter(({ name }) => name.startsWith("gatehouse_charge"));
  expect(charges.length).toBeGreaterThan(0);
  expect(sumValues(scraped, durations, { gen_ai_operation_name: "chat" })).toBeUndefined();
});
