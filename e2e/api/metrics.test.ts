import { afterEach, expect, test } from "bun:test";
import dashboard from "@/lib/gateway/telemetry/grafana-dashboard.json";
import { parseExposition, type Scrape } from "../support/parse-exposition";
import { send } from "../support/send";
import { type ServedGateway, serveGateway } from "../support/serve-gateway";

const TOKEN = "a-token-of-some-length";
const telemetry = { metricsToken: TOKEN, tracesUrl: null };
let gateway: ServedGateway;

afterEach(() => gateway.close());

const scrapeUrl = () => gateway.baseUrl.replace(/v1$/, "metrics");

async function scrape(): Promise<Scrape> {
  const reply = await fetch(scrapeUrl(), { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await reply.text());
}

function valueOf({ samples }: Scrape, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels);
  const found = samples.filter(
    (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

async function call(model: string, rest: object = {}) {
  const body = { model, messages: [{ role: "user", content: "one two three" }], ...rest };
  const address = `${gateway.baseUrl}/chat/completions`;
  const reply = await fetch(address, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}` },
    body: JSON.stringify(body),
  });
  await reply.text();
  return reply.status;
}

test("there is no such path unless a token is set, and nothing without that token", async () => {
  gateway = await serveGateway();
  expect((await send(scrapeUrl(), { key: gateway.adminKey })).error).toMatchObject({
    code: "path_not_found",
  });
  await gateway.close();
  gateway = await serveGateway({ telemetry });
  for (const key of [undefined, gateway.adminKey, gateway.key, `${TOKEN}x`])
    expect((await send(scrapeUrl(), { key })).error).toMatchObject({ code: "invalid_api_key" });
});

test("a scrape tells calls, tokens, charges, refusals, writes and the balance as they were", async () => {
  gateway = await serveGateway({ telemetry });
  expect(await call("sandbox-echo")).toBe(200);
  expect(await call("sandbox-echo", { stream: true })).toBe(200);
  expect(await call("sandbox-500")).toBe(502);
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  expect(await call("sandbox-chat")).toBe(429);
  expect(await call("no-such-model")).toBe(404);
  const told = await scrape();
  const echo = { gen_ai_request_model: "sandbox-echo", gen_ai_provider_name: "sandbox" };
  const completed = { gen_ai_request_model: "sandbox-echo", outcome: "completed" };
  expect(valueOf(told, "gatehouse_calls_total", completed)).toBe(2);
  expect(valueOf(told, "gen_ai_server_request_duration_seconds_count", { ...echo, error_type: "" })).toBe(2);
  expect(valueOf(told, "gen_ai_server_time_to_first_token_seconds_count", echo)).toBe(2);
  expect(valueOf(told, "gen_ai_client_operation_duration_seconds_count", echo)).toBe(2);
  const output = { ...echo, gen_ai_token_type: "output" };
  expect(valueOf(told, "gen_ai_client_token_usage_sum", output)).toBe(6);
  const failed = { gen_ai_request_model: "sandbox-500", error_type: "provider_failed" };
  expect(valueOf(told, "gen_ai_server_request_duration_seconds_count", failed)).toBe(1);
  const refused = { check: "max_requests_per_1_minute", status: "429" };
  expect(valueOf(told, "gatehouse_refusals_total", refused)).toBe(1);
  expect(valueOf(told, "gatehouse_refusals_total", { check: "model_not_found", status: "404" })).toBe(1);
  expect(valueOf(told, "gatehouse_ledger_write_duration_seconds_count", { operation: "hold" })).toBe(3);
  expect(valueOf(told, "gatehouse_open_holds")).toBe(0);
  expect(valueOf(told, "gatehouse_ledger_up")).toBe(1);
  const posted = valueOf(told, "gatehouse_balance", { state: "posted", currency: "USD" }) ?? 0;
  expect(posted + (valueOf(told, "gatehouse_charges_total") ?? 0)).toBeCloseTo(10, 9);
  expect(valueOf(told, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
});

test("an open circuit is told, and no more once it is closed", async () => {
  const routes = [{ provider: "gone", model: "lost" }];
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const config = {
    providers: [{ id: "gone", kind: "openai", base_url: "http://127.0.0.1:9/v1", circuit: { failures: 1 } }],
    models: [{ id: "lost", family: "chat", rate: "1", price, routes }],
  };
  gateway = await serveGateway({ telemetry, config: JSON.stringify(config) });
  const labels = { gen_ai_provider_name: "gone", gen_ai_request_model: "lost" };
  const open = async () => valueOf(await scrape(), "gatehouse_open_circuits", labels);
  expect(await open()).toBeUndefined();
  await call("lost");
  expect(await open()).toBe(1);
  await gateway.admin("POST", "/organization/providers/gone/circuits/close", { model: "lost" });
  expect(await open()).toBeUndefined();
});

test("names that callers make up become no series", async () => {
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
