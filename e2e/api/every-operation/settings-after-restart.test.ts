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
defaults:
  rate_limits: { max_requests_per_1_minute: 42 }
`;

serveForEach(
  (served) => {
    gateway = served;
  },
  { config },
);

function ask(method: string, path: string, body?: unknown) {
  return send(`${gateway.baseUrl}/organization${path}`, { method, key: gateway.adminKey, body });
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
