import { expect, test } from "bun:test";
import { send } from "../../support/clients/send";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

let gateway: ServedGateway;

const config = `
providers:
  - { id: configured, kind: openai, base_url: "http://127.0.0.1:9/v1/", api_key: sk-canary-config }
models:
  - id: configured-model
    family: chat
    rate: "0.2"
    price: { input_per_1m: "0.25", output_per_1m: "2.00" }
    rate_limits: { max_requests_per_1_day: 5 }
    routes: [{ provider: configured, model: real-name }]
  - id: unpriced
    family: chat
    rate: "1"
    routes: [{ provider: configured, model: real-name }]
defaults:
  rate_limits: { max_requests_per_1_minute: 42 }
`;

serveForEach(
  (served) => {
    gateway = served;
  },
  { config },
);

function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return send(`${gateway.baseUrl}/organization${path}`, { method, key: gateway.adminKey, body, headers });
}

const provider = {
  id: "ollama",
  kind: "openai",
  base_url: "http://127.0.0.1:11434/v1/",
  api_key: "sk-canary-database",
};
const model = {
  id: "meta/Llama-3",
  family: "chat",
  rate: "0.5",
  price: { input_per_1m: "1", output_per_1m: "2" },
  routes: [{ provider: "ollama", model: "llama3" }],
};

test("everything that was set is there after a restart", async () => {
  const role = { role_name: "Support", description: "Helps.", permissions: ["api.models.read"] };
  const changes: [string, unknown][] = [
    ["/roles", role],
    ["/projects", { name: "Research" }],
    ["/providers", provider],
    ["/models", model],
    ["/models/configured-model", { rate: "0.3" }],
    [`/projects/${gateway.projectId}/rate_limits/meta%2FLlama-3`, { max_requests_per_1_minute: 3 }],
    ["/payments", { amount: "12.345678901", reference: "Invoice 7" }],
  ];
  for (const [path, body] of changes)
    expect([path, (await ask("POST", path, body)).status]).toEqual([path, 200]);
  const lists = ["/roles", "/projects", "/providers", "/models", "/ledger", "/balance"];
  const all = [
    ...lists,
    `/projects/${gateway.projectId}/rate_limits`,
    `/projects/${gateway.projectId}/api_keys`,
  ];
  const read = () => Promise.all(all.map(async (path) => (await ask("GET", path)).body));
  const before = await read();
  await gateway.restart();
  expect(await read()).toEqual(before);
  expect(JSON.stringify(before)).toContain("Support");
  expect(JSON.stringify(before)).not.toContain("canary");
});

test("models of the file come first, with their defaults; a price makes an unpriced one callable", async () => {
  const { body } = await ask("GET", "/models?limit=2");
  expect(body).toMatchObject({
    has_more: true,
    last_id: "unpriced",
    data: [
      {
        object: "organization.model",
        id: "configured-model",
        currency: "USD",
        rate: "0.20",
        price: { input_per_1m: "0.25", output_per_1m: "2.00" },
        source: "config",
        sandbox: false,
        default_rate_limits: { max_requests_per_1_minute: 42, max_requests_per_1_day: 5 },
      },
      { id: "unpriced", price: null },
    ],
  });
  const callable = async () => {
    const { data } = await gateway.admin<{ data: { id: string }[] }>("GET", "/models");
    return data.map(({ id }) => id);
  };
  expect(await callable()).not.toContain("unpriced");
  const missing = await ask("POST", "/models/unpriced", { rate: "0.5" });
  expect([missing.status, missing.error.param]).toEqual([400, "price"]);
  const free = { input_per_1m: "0", output_per_1m: "0" };
  expect((await ask("POST", "/models/unpriced", { price: free })).body).toMatchObject({ rate: "1.00" });
  expect(await callable()).toContain("unpriced");
  expect(await ask("POST", "/models/none", { rate: "1" })).toMatchObject({
    status: 404,
    error: { code: "model_not_found" },
  });
});

test("a provider is added, routed to, kept while it is needed, and its key never shown", async () => {
  const created = await ask("POST", "/providers", provider);
  expect(created.body).toEqual({
    object: "organization.provider",
    id: "ollama",
    kind: "openai",
    base_url: "http://127.0.0.1:11434/v1",
    has_api_key: true,
    output_limit_field: "max_tokens",
    source: "database",
    task_api: null,
    misconfigured: [],
    version: expect.any(String),
  });
  expect(await ask("POST", "/providers", provider)).toMatchObject({ status: 409, error: { param: "id" } });
  expect((await ask("POST", "/models", model)).status).toBe(200);
  expect(await ask("POST", "/models", model)).toMatchObject({
    status: 409,
    error: { code: "already_exists" },
  });
  expect(await ask("DELETE", "/providers/ollama")).toMatchObject({ status: 409, error: { code: "in_use" } });
  for (const id of ["sandbox", "configured"]) {
    const refused = await ask("DELETE", `/providers/${id}`);
    expect([refused.status, refused.error.code]).toEqual([403, "predefined_provider"]);
  }
  const files = await Promise.all(
    ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map((name) =>
      Bun.file(`${gateway.dataFolder}/${name}`).text(),
    ),
  );
  expect(files.join()).toContain("ollama");
  expect(files.join()).not.toContain("canary");
});

test("a payment is in the balance and on top of the ledger, and its repeat is the same payment", async () => {
  const payment = { amount: "25.00", reference: "Invoice 7" };
  const headers = { "idempotency-key": "order-1" };
  const first = await ask("POST", "/payments", payment, headers);
  expect(first.body).toMatchObject({
    object: "ledger_entry",
    kind: "payment",
    amount: "25.00",
    balance_change: "25.00",
    currency: "USD",
    from_account: "payments",
    to_account: "balance",
    reference: "Invoice 7",
    price: null,
  });
  expect((await ask("POST", "/payments", payment, headers)).body).toEqual(first.body);
  const other = await ask("POST", "/payments", { ...payment, amount: "26.00" }, headers);
  expect([other.status, other.error.code]).toEqual([409, "idempotency_conflict"]);
  expect((await ask("GET", "/balance")).body).toEqual({
    object: "balance",
    currency: "USD",
    available: "35.00",
    held: "0.00",
    held_calls: 0,
    posted: "35.00",
  });
  const page = await ask("GET", "/ledger?limit=1");
  expect(page.body).toEqual({
    object: "list",
    data: [first.body],
    has_more: true,
    first_id: first.body.id,
    last_id: first.body.id,
  });
  const next = await ask("GET", `/ledger?limit=1&after=${page.body.last_id}`);
  expect(next.body).toMatchObject({ data: [{ reference: "Opening balance" }], has_more: false });
});

test("a charge is in the ledger with its call, and can be found by it", async () => {
  const asked = await send(`${gateway.baseUrl}/chat/completions`, {
    method: "POST",
    key: gateway.key,
    body: { model: "sandbox-echo", messages: [{ role: "user", content: "three words here" }] },
  });
  const requestId = asked.headers.get("x-request-id") ?? "";
  const { body } = await ask("GET", `/ledger?kind=charge&request_id=${requestId}`);
  // (3 × 1.00 + 3 × 2.00) ÷ 1,000,000 × 0.5
  expect(body.data).toMatchObject([
    {
      kind: "charge",
      amount: "0.0000045",
      balance_change: "-0.0000045",
      from_account: "balance",
      basis: "reported",
      request_id: requestId,
      project_id: gateway.projectId,
      model: "sandbox-echo",
      prompt_tokens: 3,
      completion_tokens: 3,
      price: { input_per_1m: "1.00", output_per_1m: "2.00", rate: "0.50" },
    },
  ]);
  expect((await ask("GET", "/ledger?model=sandbox-chat")).body.data).toEqual([]);
});
